import { createHash } from "node:crypto";
import type { RandomBytes } from "../ids";
import type { Instant } from "../instant";
import type { EventKind } from "./event-type";

/** A secret URL that records conversions of one kind (contract: "Receiving webhook"). */
export interface ReceivingWebhook {
  /** `whin_...`. */
  readonly id: string;
  readonly workspace: number;
  readonly site: number;
  readonly name: string;
  /** Fixed after creation. */
  readonly event: EventKind;
  /** The toggle "also fire to connected ad platforms", default off. */
  readonly forwardToAds: boolean;
  readonly created: Instant;
}

/**
 * The last part of a receiving URL: `<site>-<id without prefix>-<secret>`. Site and id lead to the webhook's one item,
 * so that renaming and switching are one write each and a deleted URL is dead at once; the secret is what makes the URL a
 * credential. It is stored as a hash, to recognise it by, and sealed, because the card shows the URL to be copied.
 */
export interface WebhookToken {
  readonly site: number;
  readonly id: string;
  readonly secret: string;
}

const SECRET_BYTES = 32;
const TOKEN = /^([1-9]\d{0,9})-([0-9a-hjkmnp-tv-z]{26})-([A-Za-z0-9_-]{43})$/;
const PREFIX = "whin_";

export const newSecret = (random: RandomBytes): string =>
  Buffer.from(random(SECRET_BYTES)).toString("base64url");

export const formatToken = ({ site, id, secret }: WebhookToken): string =>
  `${site}-${id.slice(PREFIX.length)}-${secret}`;

/** Null for whatever cannot be a token, without asking the database. */
export function parseToken(text: string): WebhookToken | null {
  const [, site, id, secret] = TOKEN.exec(text) ?? [];
  return site && id && secret ? { site: Number(site), id: PREFIX + id, secret } : null;
}

/** SHA-256 in hex. The secret has 256 random bits, so a slow hash would add nothing. */
export const hashSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Where a token is posted to, within the service's origin. */
export const receivingPath = (token: string): string => `/api/webhooks/in/${token}`;

/** How many a site may have. */
export const MAX_RECEIVING_WEBHOOKS = 200;
