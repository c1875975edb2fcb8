import { MAX_BODY_BYTES } from "./body";
import { fitting, type JsonObject, type JsonValue, tame } from "./json";
import { type ProductEntry, readProducts } from "./products";
import { amount, currencyCode, emailAddress, type FieldReader, text, textOrNumber } from "./text";

/** Who converted, as the payload says; each null when it does not. */
export interface Contact {
  readonly email: string | null;
  readonly phone: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

/** Everything read from one payload (contract: "Payload fields read"). */
export interface Reading {
  readonly contact: Contact;
  /** In units of the currency. */
  readonly amount: number | null;
  /** ISO 4217 shape, upper case. */
  readonly currency: string | null;
  readonly orderId: string | null;
  /** The visitor's cookie `_evid`. */
  readonly visitorId: string | null;
  readonly clickId: string | null;
  readonly products: readonly ProductEntry[];
  /** Every other field, and fields whose value could not be read. */
  readonly properties: JsonObject;
}

export const VISITOR_ID = ["evid", "_evid", "tm_evid", "visitor_id", "tm_visitor_id", "tm_id"];
export const CLICK_ID = ["fbclid", "gclid", "click_id", "tm_click_id"];

/**
 * As much as a body brings; numbers such as `1e20` grow beyond it when written out. An event's item holds 400 KB, of
 * which its product lines, contact and ids take at most 135 KB.
 */
const MAX_PROPERTY_BYTES = MAX_BODY_BYTES;

/** Reads a payload's top-level fields. Of several names of one field the first in the contract's order wins. */
export function readPayload(payload: JsonObject): Reading {
  const left = new Map(Object.entries(payload));
  const take = <Value>(names: readonly string[], read: FieldReader<Value>): Value | null => {
    let taken: Value | null = null;
    for (const name of names) {
      const value = left.get(name);
      if (value === undefined) continue;
      const result = read(value);
      taken ??= result;
      if (result !== null || isBlank(value)) left.delete(name);
    }
    return taken;
  };
  const fields = {
    contact: {
      email: take(["email"], emailAddress),
      phone: take(["phone"], textOrNumber(64)),
      firstName: take(["first_name"], text(200)),
      lastName: take(["last_name"], text(200)),
    },
    amount: take(["value"], amount),
    currency: take(["currency"], currencyCode),
    orderId: take(["order_id"], textOrNumber(512)),
    visitorId: take(VISITOR_ID, text(256)),
    clickId: take(CLICK_ID, text(1024)),
    products: readProducts(payload),
  };
  const rest = Object.fromEntries([...left].map(([name, value]) => [name.toWellFormed(), tame(value, 2)]));
  return { ...fields, properties: fitting(rest, MAX_PROPERTY_BYTES) };
}

/** Outcome `ignored`: well formed, but nothing to record, such as a provider's ping. A currency alone is nothing. */
export function holdsNothing(reading: Reading): boolean {
  const { contact, amount, orderId, visitorId, clickId, properties } = reading;
  const fields = [...Object.values(contact), amount, orderId, visitorId, clickId];
  return fields.every((field) => field === null) && Object.keys(properties).length === 0;
}

const isBlank = (value: JsonValue): boolean =>
  value === null || (typeof value === "string" && value.trim() === "");
