import type { Config } from "./config";
import { createTransport, type Hit } from "./transport";
import { IDLE, storedVisit, storeVisit, type Visit, visitAt } from "./visit";
import { browserIds, newId, visitorId } from "./visitor";

interface Page {
  readonly id: string;
  readonly index: number;
  readonly url: string;
  readonly t: number;
  readonly hash: boolean;
}

/** Page views, visible time and events of one site's pages. */
export function createTracker(config: Config) {
  const { site, hash } = config;
  const evid = visitorId(config.cookieDomain);
  let latest = 0;
  /** Never goes back, so that a hit is not earlier than its visit. */
  const clock = (): number => {
    latest = Math.max(latest, Date.now());
    return latest;
  };
  // Both are set by the first view, which comes before anything else.
  let visit: Visit;
  let page: Page;
  let visibleSince = 0;
  let visibleMs = 0;
  let reportedMs = 0;

  const transport = createTransport(config, evid, clock, (hits) => {
    if (!hits.some((hit) => hit.visit.id === visit.id)) return;
    visit.known = true;
    keep();
  });

  /** Notes the state of the visit, unless another tab has begun a newer one. */
  function keep(): void {
    const stored = storedVisit(site);
    if (!stored || stored.id === visit.id || stored.start < visit.start) storeVisit(site, visit);
  }

  function hit(kind: string, what: object = {}): Hit {
    const t = kind === "pageview" ? page.t : clock();
    const { id, start, url, referrer } = visit;
    const gpc = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl;
    const ids = gpc ? {} : browserIds();
    return { kind, t, first: !visit.known, visit: { id, start, url, referrer, ids }, page, ...what };
  }

  return {
    /** @param fresh whether a link was followed, rather than a page reloaded or gone back to */
    view(referrer: string, fresh: boolean): void {
      const now = Date.now();
      visit = visitAt(storedVisit(site) ?? visit, { now, referrer: referrer.slice(0, 2e3), fresh });
      const t = Math.max(now, visit.last);
      latest = visit.last = t;
      page = { id: newId(3), index: visit.pages++, url: location.href.slice(0, 8e3), t, hash };
      visibleMs = reportedMs = 0;
      visibleSince = document.visibilityState === "visible" ? t : 0;
      keep();
      transport.send(hit("pageview"));
    },
    /** The page can be seen (again). */
    look(): void {
      visibleSince ||= clock();
    },
    /** The page can no longer be seen, or another takes its place: its report travels with the next page view. */
    leave(hidden: boolean): void {
      if (visibleSince) {
        const look = clock() - visibleSince;
        visibleSince = 0;
        // A page nobody has touched for as long as that is open, not read: it keeps no visit alive.
        visibleMs += Math.min(look, IDLE);
        if (look < IDLE) visit.last = clock();
        keep();
      }
      if (visibleMs > reportedMs) {
        reportedMs = visibleMs;
        transport.add(hit("attention", { visibleMs }));
      }
      if (hidden) transport.flush(true);
    },
    identify(contact: object): void {
      transport.send(hit("identify", { contact }));
    },
    track(name: string, properties: object = {}): void {
      transport.send(hit("event", { name, properties }));
    },
  };
}
