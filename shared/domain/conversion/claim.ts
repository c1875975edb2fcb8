import { DAY, type Instant, toIso } from "../instant";
import type { ConversionEvent } from "./event";
import { normalEmail } from "./text";

/** The right to be the one event that counts. Two events with the same `of` are duplicates. */
export interface Claim {
  readonly site: number;
  /** What duplicates have in common, the e-mail among it: to be hashed before it is stored as a key. */
  readonly of: readonly (string | number)[];
  /** From when no duplicate can come any more; null for never. */
  readonly expiresAt: Instant | null;
}

/** A claim outlives its day by this, for what is still under way. */
const KEPT_AFTER_DAY = 3 * DAY;

/**
 * The duplicate claim of an event (contract: "Inbound webhook", rule 9; decisions: "De-duplication"). Leads, Schedules
 * and custom events: e-mail and event once per UTC day. Purchases: e-mail, order and amount for ever; without an order,
 * e-mail and amount once per UTC day. The currency is no part of it: tools that report one sale differ in naming it.
 * Null without an e-mail: such an event is never a duplicate.
 */
export function claimOf(event: ConversionEvent): Claim | null {
  const { site, type, name, at, value, orderId, contact } = event;
  if (contact.email === null) return null;
  const who = [type, name, normalEmail(contact.email)];
  const amount = type === "Purchase" ? [value ?? "none"] : [];
  if (type === "Purchase" && orderId !== null) {
    return { site, of: [...who, "order", orderId, ...amount], expiresAt: null };
  }
  const endOfDay = (Math.floor(at / DAY) + 1) * DAY;
  return {
    site,
    of: [...who, "day", toIso(at).slice(0, 10), ...amount],
    expiresAt: endOfDay + KEPT_AFTER_DAY,
  };
}
