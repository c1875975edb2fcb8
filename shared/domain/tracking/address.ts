import { CLICK_ID_NAMES } from "../attribution/touch";
import { EMAIL_MASK, holdsEmail, withoutPerson } from "../personal-data";

const LONGEST_PATH = 512;
const LONGEST_LANDING = 2_048;
const LONGEST_REFERRER = 512;

/** Parameters that name a person or open a door. They are dropped whatever they hold. */
const PERSONAL =
  /^(e[-_]?mail|mail|user_?email|phone(_?number)?|tel|first_?name|last_?name|full_?name|name|password|pwd|secret|(access_|id_)?token)$/i;

/** Parameters that say what brought the visit; kept when an address is too long to keep whole. */
const MARKETING = new Set<string>([
  ...["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "utm_id", "source", "ref"],
  ...["campaign_id", "adset_id", "ad_id"],
  ...CLICK_ID_NAMES,
]);

/** A web page's URL; null for anything else (`file:`, `about:`, garbage). */
export function parsePage(text: string): URL | null {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== "" ? url : null;
}

/**
 * The path a page is counted under: no query and, as facts hold no personal data, no e-mail address or phone number. With hash routing
 * the route stands behind the path (`/app#/cart`).
 */
export function pathOf(url: URL, hashRouting: boolean): string {
  const route = hashRouting && /^#!?\//.test(url.hash) ? url.hash.replace(/[?].*/, "") : "";
  return maskSegments(url.pathname + route).slice(0, LONGEST_PATH);
}

/** A landing address as it is kept: every parameter that says where the visit came from, nothing about the person. */
export function landingOf(url: URL): string {
  const clean = impersonal(url);
  return clean.href.length <= LONGEST_LANDING ? clean.href : marketingOnly(clean);
}

/** A referrer as it is kept; null when it is none. Apps (`android-app://...`) are referrers too. */
export function referrerOf(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^(https?|android-app):$/.test(url.protocol) || url.hostname === "") return null;
  return impersonal(url).href.slice(0, LONGEST_REFERRER);
}

function impersonal(url: URL): URL {
  const clean = new URL(url);
  clean.hash = "";
  clean.username = "";
  clean.password = "";
  const path = maskSegments(clean.pathname);
  if (path !== clean.pathname) clean.pathname = path;
  // The query is rewritten only where it must be: reading and writing it back changes its encoding.
  const parameters = [...clean.searchParams];
  if (parameters.some(([name, value]) => PERSONAL.test(name) || holdsEmail(name) || holdsEmail(value))) {
    const kept = new URLSearchParams();
    for (const [name, value] of parameters) {
      if (!PERSONAL.test(name) && !holdsEmail(name))
        kept.append(name, holdsEmail(value) ? EMAIL_MASK : value);
    }
    clean.search = kept.toString();
  }
  return clean;
}

function marketingOnly(url: URL): string {
  const short = new URL(url.pathname.slice(0, LONGEST_PATH), url.origin);
  for (const [name, value] of url.searchParams) {
    if (!MARKETING.has(name.toLowerCase())) continue;
    const before = short.search;
    short.searchParams.append(name, value);
    if (short.href.length > LONGEST_LANDING) short.search = before;
  }
  return short.href;
}

const maskSegments = (path: string): string => path.split("/").map(withoutPerson).join("/");
