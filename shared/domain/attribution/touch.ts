/** The five UTM parameters exactly as they arrived; null when absent (contract: "Touch object fields"). */
export interface Utm {
  readonly source: string | null;
  readonly medium: string | null;
  readonly campaign: string | null;
  readonly term: string | null;
  readonly content: string | null;
}

/**
 * Click ids a landing URL may carry, and the platform that added each. Those of the first five parameters are added to
 * ads alone; the others also to organic links, so they name a platform but do not make a visit paid.
 */
export const CLICK_IDS = {
  gclid: { platform: "google", paid: true },
  gbraid: { platform: "google", paid: true },
  wbraid: { platform: "google", paid: true },
  msclkid: { platform: "bing", paid: true },
  ttclid: { platform: "tiktok", paid: true },
  fbclid: { platform: "facebook", paid: false },
  twclid: { platform: "x", paid: false },
  li_fat_id: { platform: "linkedin", paid: false },
  sccid: { platform: "snapchat", paid: false },
  epik: { platform: "pinterest", paid: false },
  rdt_cid: { platform: "reddit", paid: false },
  yclid: { platform: "yandex", paid: false },
} as const;

export type ClickIdName = keyof typeof CLICK_IDS;
export const CLICK_ID_NAMES = Object.keys(CLICK_IDS) as ClickIdName[];

/** Click ids by their parameter's name in lower case, values unchanged. */
export type ClickIds = Readonly<Partial<Record<ClickIdName, string>>>;

/** What brought a visit: everything read from its landing URL and its referrer. */
export interface Touch {
  readonly utm: Utm;
  readonly clickIds: ClickIds;
  /** The referring page as the browser gave it, without personal data; null when there was none. */
  readonly referrer: string | null;
  /** The page entered on with its query, without personal data. */
  readonly landingUrl: string;
}

/** Reads a touch. Total: an address that is none yields a touch that says nothing. */
export function readTouch(landingUrl: string, referrer: string | null): Touch {
  const parameter = parametersOf(landingUrl);
  return {
    utm: {
      source: parameter("utm_source"),
      medium: parameter("utm_medium"),
      campaign: parameter("utm_campaign"),
      term: parameter("utm_term"),
      content: parameter("utm_content"),
    },
    clickIds: Object.fromEntries(
      CLICK_ID_NAMES.map((name) => [name, parameter(name)]).filter(([, value]) => value !== null),
    ),
    referrer,
    landingUrl,
  };
}

/** Query parameters by name in any case; the first that is not empty. */
export function parametersOf(url: string): (name: string) => string | null {
  const values = new Map<string, string>();
  for (const [name, value] of URL.parse(url)?.searchParams ?? []) {
    const key = name.toLowerCase();
    if (value !== "" && !values.has(key)) values.set(key, value);
  }
  return (name) => values.get(name) ?? null;
}
