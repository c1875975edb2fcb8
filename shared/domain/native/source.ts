import type { Reading } from "../conversion/reading";
import { namedId } from "../ids";
import { DAY, type Instant } from "../instant";
import type { NativeKind } from "./kinds";

/** What a site may choose about the reading of its integration. */
export interface NativeChoices {
  /** Stripe: whether first invoices of subscriptions count as well (see `readStripe`). */
  readonly countFirstInvoices: boolean;
}

/** One conversion, as a service tells of it. */
export interface NativeConversion {
  /** The service's own name of what happened: told of again, by whatever message, it is the same conversion. */
  readonly name: string;
  /** When it happened, as the service says; null when it does not. */
  readonly at: Instant | null;
  readonly reading: Reading;
}

/** What is to be done about a message: record a conversion, nothing and why, or refuse it because it makes no sense. */
export type NativeReading =
  | { readonly conversion: NativeConversion }
  | { readonly ignored: string }
  | { readonly problem: string };

/** Reads a message whose signature was found right. Pure; any JSON is a safe argument. */
export type NativeReader = (message: unknown, choices: NativeChoices) => NativeReading;

/** How long services keep what they may still deliver: Stripe 30 days, Calendly one. */
const OLDEST = 30 * DAY;

/**
 * When a conversion counts: when it happened, so that one delivered days late (after an outage, or sent again by hand)
 * stands on its own day and is a duplicate of what other tools told that day. When it was received, where the service's
 * time is not to be believed.
 */
export const conversionTime = (said: Instant | null, now: Instant): Instant =>
  said === null || said < now - OLDEST ? now : Math.min(said, now);

/**
 * The event's id, the same whenever and by whichever message the conversion is told of, so that a redelivery changes
 * nothing. It holds no time: two messages about one payment carry different ones.
 */
export const nativeEventId = (kind: NativeKind, site: number, { name }: NativeConversion): string =>
  namedId("evt", 0, JSON.stringify([kind, site, name]));
