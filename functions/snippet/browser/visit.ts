import { readLocal, writeLocal } from "./storage";
import { newId } from "./visitor";

/** A visit as the browser remembers it, shared by the tabs of an origin. Times are epoch ms. */
export interface Visit {
  readonly id: string;
  readonly start: number;
  /** Where it entered, with its query. */
  readonly url: string;
  readonly referrer: string;
  /** The campaign parameters it began with. */
  readonly campaign: string;
  /** When the visitor was last seen. */
  last: number;
  /** Pages so far. */
  pages: number;
  /** The collector has acknowledged a hit of it. */
  known: boolean;
}

/** How the visitor came to a page. */
export interface Arrival {
  readonly now: number;
  readonly referrer: string;
  /** False for a reload and a step back: they bring the old campaign and referrer again. */
  readonly fresh: boolean;
}

/** 30 minutes. */
export const IDLE = 18e5;
const DAY = 864e5;
const CLOCK_SET_BACK = 6e4;
const CAMPAIGN =
  /[?&](utm_\w+|gclid|gbraid|wbraid|msclkid|ttclid|fbclid|twclid|li_fat_id|sccid|epik|rdt_cid|yclid)=[^&]+/gi;
/** Payment and sign-in pages: coming back from one is no new visit. */
const PASSAGE =
  /(^|\.)((stripe|paypal|klarna|adyen|mollie|squareup|afterpay|clearpay|affirm|razorpay|paddle|pay\.\w+|accounts\.google|appleid\.apple|login\.\w+|auth0|okta)\.\w+|checkout\.com|shop\.app)$/;

const key = (site: number): string => `_evid_visit_${site}`;

export function storedVisit(site: number): Visit | null {
  try {
    const visit = JSON.parse(readLocal(key(site)) ?? "");
    return visit.id && visit.start ? visit : null;
  } catch {
    return null;
  }
}

export const storeVisit = (site: number, visit: Visit): void => writeLocal(key(site), JSON.stringify(visit));

/** The visit a page view belongs to: the one under way, unless 30 idle minutes, a new campaign or a new referrer end it. */
export function visitAt(under: Visit | null, { now, referrer, fresh }: Arrival): Visit {
  const campaign = (location.search.match(CAMPAIGN) ?? []).join("");
  if (
    under &&
    now - under.last < IDLE &&
    now - under.start < DAY &&
    under.last - now < CLOCK_SET_BACK &&
    !(fresh && ((campaign && campaign !== under.campaign) || isNewSource(referrer, under.referrer)))
  ) {
    return under;
  }
  const url = location.href.slice(0, 8e3);
  return { id: newId(3), start: now, url, referrer, campaign, last: now, pages: 0, known: false };
}

function isNewSource(referrer: string, before: string): boolean {
  const host = hostOf(referrer);
  return (
    host !== "" && host !== hostOf(before) && owner(host) !== owner(location.hostname) && !PASSAGE.test(host)
  );
}

const hostOf = (url: string): string => (url.split("/")[2] ?? "").replace(/:\d+$/, "");

/** The last two labels: enough to tell one's own subdomains. */
const owner = (host: string): string => host.split(".").slice(-2).join(".");
