import { clip } from "../clip";
import { withoutPerson } from "../personal-data";
import { type HostTable, indexHosts, isWithin } from "./hosts";
import { AI_ASSISTANTS, SHOPPING, VIDEO, WEBMAIL } from "./lists/others";
import { PASSAGES } from "./lists/passages";
import { SEARCH } from "./lists/search";
import { SOCIAL } from "./lists/social";
import { CLICK_ID_NAMES, CLICK_IDS, type ClickIdName, parametersOf, type Touch } from "./touch";

/** What a known source is. */
export type SourceKind = "search" | "social" | "video" | "shopping" | "ai" | "webmail";

interface Brand {
  readonly name: string;
  readonly kind: SourceKind;
}

/** Where a visit came from, resolved; what the channel rules look at. */
export interface Signals {
  readonly source: string;
  /** Null for a source on no list, and for none. */
  readonly kind: SourceKind | null;
  /** Whether the source's own name says it was paid for (`adwords`, `facebook-ads`). */
  readonly paidName: boolean;
  /** Lower case, trimmed; empty when absent. */
  readonly medium: string;
  readonly campaign: string;
  readonly clickIds: ReadonlySet<ClickIdName>;
}

/** The source of a visit nobody sent. */
export const DIRECT = "(direct)";

const TABLES: readonly (readonly [SourceKind, HostTable])[] = [
  ["search", SEARCH],
  ["social", SOCIAL],
  ["video", VIDEO],
  ["shopping", SHOPPING],
  ["ai", AI_ASSISTANTS],
  ["webmail", WEBMAIL],
];

/** What marketers call the brands in `utm_source`, besides the brands' own names. */
const ALIASES: Readonly<Record<string, string>> = {
  fb: "facebook",
  meta: "facebook",
  "facebook.com": "facebook",
  ig: "instagram",
  insta: "instagram",
  twitter: "x",
  "linked-in": "linkedin",
  li: "linkedin",
  tt: "tiktok",
  "tik-tok": "tiktok",
  snap: "snapchat",
  pin: "pinterest",
  yt: "youtube",
  ddg: "duckduckgo",
  "hacker-news": "hackernews",
  hn: "hackernews",
  "product-hunt": "producthunt",
  openai: "chatgpt",
  "google-shopping": "google shopping",
  googleshopping: "google shopping",
  google_shopping: "google shopping",
};

/** Names that exist for a brand's advertising alone. */
const PAID_ALIASES: Readonly<Record<string, string>> = {
  adwords: "google",
  "google-adwords": "google",
  googleadwords: "google",
  microsoftads: "bing",
  "microsoft-ads": "bing",
  bingads: "bing",
};

const AD_SUFFIX = /[\s._-]*ads?$/;

const brands = TABLES.flatMap(([kind, table]) =>
  Object.entries(table).map(([name, hosts]) => ({ brand: { name, kind }, hosts })),
);
const byName = new Map<string, Brand>(brands.map(({ brand }) => [brand.name, brand]));
const byHost = indexHosts(brands.flatMap(({ brand, hosts }) => hosts.map((host) => [host, brand] as const)));
const passages = indexHosts(PASSAGES.map((host) => [host, true] as const));

/**
 * Resolves where a visit came from: the tagged source, else the platform of a paid click id, else the referrer's
 * brand, else the platform of another click id, else the referrer's host, else nobody.
 *
 * The site's own hosts and pages visitors pass through (payment, sign-in) are never a source.
 * @param domain the site's host, lower case, without `www.`
 */
export function resolveSignals(touch: Touch, domain: string): Signals {
  const parameter = parametersOf(touch.landingUrl);
  const clickIds = new Set(CLICK_ID_NAMES.filter((name) => touch.clickIds[name] !== undefined));
  const tag = normal(touch.utm.source ?? parameter("source") ?? parameter("ref"));
  const tagged = tag === "" || isNoSource(tag, domain) ? null : nameTagged(tag);
  return {
    ...(tagged ?? nameUntagged(clickIds, hostOf(touch.referrer), domain)),
    medium: normal(touch.utm.medium),
    campaign: normal(touch.utm.campaign),
    clickIds,
  };
}

type Named = Pick<Signals, "source" | "kind" | "paidName">;

const named = (brand: Brand, paidName = false): Named => ({ source: brand.name, kind: brand.kind, paidName });

function nameTagged(tag: string): Named {
  const brand = brandOfTag(tag);
  if (brand) return named(brand);
  const advertised = ownValue(PAID_ALIASES, tag) ?? tag.replace(AD_SUFFIX, "");
  const paid = advertised === tag ? null : brandOfTag(advertised);
  return paid ? named(paid, true) : { source: tag, kind: null, paidName: false };
}

const brandOfTag = (tag: string): Brand | null =>
  byName.get(ownValue(ALIASES, tag) ?? tag) ?? (tag.includes(".") ? byHost.find(tag) : null);

function nameUntagged(clickIds: ReadonlySet<ClickIdName>, referrer: string | null, domain: string): Named {
  const platform = (paid: boolean): Brand | undefined => {
    const id = CLICK_ID_NAMES.find((name) => clickIds.has(name) && CLICK_IDS[name].paid === paid);
    return id && byName.get(CLICK_IDS[id].platform);
  };
  const from = referrer !== null && !isNoSource(referrer, domain) ? referrer : null;
  const brand = platform(true) ?? (from === null ? null : byHost.find(from)) ?? platform(false);
  if (brand) return named(brand);
  const source = from === null ? DIRECT : from.replace(/^www\./, "");
  return { source, kind: null, paidName: false };
}

const isNoSource = (host: string, domain: string): boolean =>
  RESERVED.test(host) || isWithin(host, domain) || passages.find(host) !== null;

/**
 * `(direct)`, `(none)`, `(other)`, `(not set)`: names of rows in reports, ours among them, and never of a source. Also of a
 * host: an address may have brackets, so a forged referrer can be `https://www.(other)/`.
 */
const RESERVED = /^(www\.)?\(.*\)$/;

/** Long enough for any name; a stranger cannot make the figures' keys longer. */
const LONGEST_NAME = 100;
/** What cannot be seen would make two rows of one name; so would an accent written in two ways, hence NFC below. */
const INVISIBLE = /[\p{Cc}\p{Cf}]+/gu;

const normal = (text: string | null): string =>
  clip(
    withoutPerson((text ?? "").normalize("NFC").replace(INVISIBLE, ""))
      .trim()
      .toLowerCase(),
    LONGEST_NAME,
  );

/** The host of a web page or an Android app (`android-app://com.google.android.gm`). */
function hostOf(referrer: string | null): string | null {
  const url = referrer === null ? null : URL.parse(referrer);
  if (url === null || !/^(https?|android-app):$/.test(url.protocol)) return null;
  return url.hostname === "" ? null : clip(withoutPerson(url.hostname).toLowerCase().replace(/\.$/, ""), 253);
}

const ownValue = (table: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
