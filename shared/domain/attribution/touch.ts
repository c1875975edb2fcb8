/** The five UTM parameters exactly as they arrived; null when absent (contract: "Touch object fields"). */
export interface Utm {
  readonly source: string | null;
  readonly medium: string | null;
  readonly campaign: string | null;
  readonly term: string | null;
  readonly content: string | null;
}

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

export type ClickIdName = "gclid" | "gbraid" | "wbraid" | "msclkid" | "ttclid" | "fbclid";
