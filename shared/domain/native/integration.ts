import type { Instant } from "../instant";
import type { NativeKind } from "./kinds";
import type { NativeChoices } from "./source";

/** What may become of a message. */
export const NATIVE_OUTCOMES = [
  "accepted",
  "deduped",
  "ignored",
  "bad signature",
  "parse error",
  "oversized",
] as const;
export type NativeOutcome = (typeof NATIVE_OUTCOMES)[number];

/** The last message, and what became of it. */
export interface LastReceived {
  readonly at: Instant;
  readonly outcome: NativeOutcome;
  /** In a sentence, where the outcome says little. */
  readonly reason: string | null;
}

/** A site's connection to one service: it has one of each kind at most. */
export interface NativeIntegration extends NativeChoices {
  /** `nint_...`. */
  readonly id: string;
  readonly workspace: number;
  readonly site: number;
  readonly kind: NativeKind;
  /** The toggle "also fire to connected ad platforms", default off. */
  readonly forwardToAds: boolean;
  /** The last part of its URL, sealed (see {@link tokenContext}). */
  readonly sealedToken: string;
  /** What the service signs with, sealed (see {@link secretContext}); null until it was entered. */
  readonly sealedSecret: string | null;
  readonly created: Instant;
  readonly lastReceived: LastReceived | null;
}

type Sealed = Pick<NativeIntegration, "id" | "site">;

/** What sealed values are bound to, so that one copied into another integration's item does not open. */
export const secretContext = ({ id, site }: Sealed) => ({
  purpose: "native-signing-secret",
  site: String(site),
  integration: id,
});
export const tokenContext = ({ id, site }: Sealed) => ({
  purpose: "native-url",
  site: String(site),
  integration: id,
});

/** The last part of a URL: `<site>-<secret>`. With the kind, which the URL names too, the site leads to the one item. */
export interface NativeToken {
  readonly site: number;
  readonly secret: string;
}

const TOKEN = /^([1-9]\d{0,9})-([A-Za-z0-9_-]{43})$/;

export const formatNativeToken = ({ site, secret }: NativeToken): string => `${site}-${secret}`;

/** Null for whatever cannot be a token, without asking the database. */
export function parseNativeToken(text: string): NativeToken | null {
  const [, site, secret] = TOKEN.exec(text) ?? [];
  return site && secret ? { site: Number(site), secret } : null;
}
