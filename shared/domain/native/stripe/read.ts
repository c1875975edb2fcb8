import * as z from "zod";
import { clip } from "../../clip";
import { SECOND } from "../../instant";
import { maybe } from "../fields";
import type { NativeReader } from "../source";
import { readInvoice } from "./invoice";
import type { SaleReader } from "./sale";
import { readSession } from "./session";

const envelope = z.object({
  type: z.string(),
  livemode: maybe(z.boolean()),
  /** In whole seconds. */
  created: maybe(z.int().positive().max(1e11)),
  data: z.unknown(),
});
const data = z.object({ object: z.unknown() });

/** Several types tell of one payment: what they tell has one name, so it counts once (see `nativeEventId`). */
const READERS = new Map<string, SaleReader>([
  ["checkout.session.completed", readSession],
  ["checkout.session.async_payment_succeeded", readSession],
  ["invoice.paid", readInvoice],
  ["invoice.payment_succeeded", readInvoice],
]);

/**
 * A payment, as Stripe's events tell of it (README, "Stripe": what counts, and what counts as one). No call to Stripe is
 * made: what its event does not hold is not known.
 */
export const readStripe: NativeReader = (message, choices) => {
  const event = envelope.safeParse(message);
  if (!event.success) return { problem: "The body is not an event of Stripe." };
  const { type, livemode, created } = event.data;
  const read = READERS.get(type);
  if (!read) return { ignored: `Events of type ${clip(type, 100)} are not payments that are counted.` };
  if (livemode === false) return { ignored: "The event is of Stripe's test mode: no money was paid." };
  const result = read(data.safeParse(event.data.data).data?.object, choices);
  if (!("sale" in result)) return result;
  // Somewhere within that second: at its end, so that what the visitor did in it came before.
  return { conversion: { ...result.sale, at: created === null ? null : (created + 1) * SECOND - 1 } };
};
