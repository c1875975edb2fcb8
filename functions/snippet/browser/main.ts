import { readConfig } from "./config";
import { createTracker } from "./tracker";

type Call = [command: string, subject: never, properties?: object];
/** `window.attribution(...)`: before the script has loaded, a stub that keeps the calls in `q`. */
type Api = ((...call: Call) => void) & { q?: ArrayLike<unknown>[] };
declare global {
  interface Window {
    attribution?: Api;
    /** Sites whose snippet runs on this page: a second copy of the tag does nothing. */
    _evid_sites?: Record<number, 1>;
  }
  interface Document {
    readonly prerendering?: boolean;
  }
}

/** Nothing of ours ever breaks the page. */
const safely =
  <Args extends unknown[]>(work: (...args: Args) => void) =>
  (...args: Args): void => {
    try {
      work(...args);
    } catch {
      // The page goes on without us.
    }
  };

safely(() => {
  const config = readConfig();
  window._evid_sites ||= {};
  if (!config || window._evid_sites[config.site]) return;
  window._evid_sites[config.site] = 1;
  const start = safely(() => run(createTracker(config), config.hash));
  if (document.prerendering) document.addEventListener("prerenderingchange", start, { once: true });
  else start();
})();

function run(tracker: ReturnType<typeof createTracker>, hash: boolean): void {
  const route = (): string => location.pathname + (hash ? location.hash : "");
  let path = route();
  let search = location.search;

  const view = safely((referrer: string, fresh: boolean) => {
    path = route();
    search = location.search;
    tracker.view(referrer, fresh);
  });
  /** `rewritten`: the entry was replaced, which with the same path tidies the address and is no page view. */
  const navigated = safely((rewritten: boolean, fresh: boolean) => {
    if (route() === path && (rewritten || location.search === search)) {
      search = location.search;
      return;
    }
    tracker.leave(false);
    view("", fresh);
  });

  for (const name of ["pushState", "replaceState"] as const) {
    const original = history[name];
    history[name] = function (...args) {
      original.apply(this, args);
      navigated(name === "replaceState", true);
    };
  }
  addEventListener("popstate", () => navigated(false, false));
  if (hash) addEventListener("hashchange", () => navigated(false, true));
  addEventListener("pageshow", (event) => {
    if (event.persisted) view("", false);
  });
  addEventListener(
    "pagehide",
    safely(() => tracker.leave(true)),
  );
  document.addEventListener(
    "visibilitychange",
    safely(() => (document.visibilityState === "hidden" ? tracker.leave(true) : tracker.look())),
  );

  const entry = performance.getEntriesByType?.("navigation")[0] as { type?: string } | undefined;
  view(document.referrer, (entry?.type ?? "navigate") === "navigate");

  const api: Api = safely((command, subject, properties) => {
    if (command === "identify") tracker.identify(subject);
    if (command === "track") tracker.track(subject, properties);
  });
  const early = window.attribution?.q ?? [];
  window.attribution = api;
  for (const call of early) api(...(Array.from(call) as Call));
}
