import { clip } from "../clip";
import { fitting, type JsonObject, type JsonValue } from "./json";
import { MAX_BODY_BYTES } from "./payload/body";
import { type Fields, openPayload } from "./payload/fields";
import { price } from "./payload/price";
import { PRODUCT_LISTS, type ProductEntry, readProducts } from "./payload/products";
import { currencyCode, emailAddress, text, textOrNumber } from "./text";

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
  /** ISO 4217 shape, upper case; that of the field, else the one that stands beside the amount (`49 EUR`). */
  readonly currency: string | null;
  readonly orderId: string | null;
  /** The visitor's cookie `_evid`. */
  readonly visitorId: string | null;
  /** At most one for each name of a click id, in the contract's order; no two are the same. */
  readonly clickIds: readonly string[];
  /**
   * The e-mail of the person to link to; what was sent in its place when that is none, so that the sender can be told;
   * null when nothing was sent.
   */
  readonly existingEmail: string | null;
  readonly products: readonly ProductEntry[];
  /** Every other field, and fields whose value could not be read. */
  readonly properties: JsonObject;
}

/** How a payload is to be read. */
interface ReadingOptions {
  /** Whether `existing_email` is read; only receiving webhooks do (contract: "Inbound webhook", rule 8). Default true. */
  readonly linksEmails?: boolean;
}

const VISITOR_ID = ["evid", "_evid", "tm_evid", "visitor_id", "tm_visitor_id", "tm_id"];
const CLICK_ID = ["fbclid", "gclid", "click_id", "tm_click_id"];
const EXISTING_EMAIL = "existing_email";
const CUSTOM_DATA = "customData";
const OTHERS = ["email", "phone", "first_name", "last_name", "value", "currency", "order_id"];
const FIELDS = [...OTHERS, ...VISITOR_ID, ...CLICK_ID, EXISTING_EMAIL, ...PRODUCT_LISTS];

/**
 * As much as a body brings; numbers such as `1e20` grow beyond it when written out. An event's item holds 400 KB, of
 * which its product lines, contact and ids take at most 135 KB.
 */
const MAX_PROPERTY_BYTES = MAX_BODY_BYTES;

/** Reads a payload's fields, wherever they stand in it (decisions: "Where fields are found"). */
export function readPayload(payload: JsonObject, { linksEmails = true }: ReadingOptions = {}): Reading {
  const fields = openPayload(payload, FIELDS);
  const paid = fields.take(["value"], price);
  const read = {
    contact: {
      email: fields.take(["email"], emailAddress),
      phone: fields.take(["phone"], textOrNumber(64)),
      firstName: fields.take(["first_name"], text(200)),
      lastName: fields.take(["last_name"], text(200)),
    },
    amount: paid?.amount ?? null,
    currency: fields.take(["currency"], currencyCode) ?? paid?.currency ?? null,
    orderId: fields.take(["order_id"], textOrNumber(512)),
    visitorId: fields.take(VISITOR_ID, text(256)),
    clickIds: takeClickIds(fields),
    existingEmail: linksEmails ? takeExistingEmail(fields) : null,
    products: readProducts(payload, fields),
  };
  return { ...read, properties: fitting(fields.rest(), MAX_PROPERTY_BYTES) };
}

function takeClickIds(fields: Fields): string[] {
  const ids = CLICK_ID.map((name) => fields.take([name], text(1024)));
  return [...new Set(ids)].filter((id) => id !== null);
}

/** Its name must be exactly this, at the top or directly in a `customData` block (contract: "Payload fields read"). */
const takeExistingEmail = (fields: Fields): string | null =>
  fields.take(
    [EXISTING_EMAIL],
    asSent,
    ({ key, depth, within }) => key === EXISTING_EMAIL && (depth === 1 || within === CUSTOM_DATA),
  );

/** An e-mail, else whatever was sent, cut where it can be no e-mail any more. */
const asSent = (value: JsonValue): string =>
  emailAddress(value) ??
  (typeof value === "object" ? "(not text)" : clip(String(value).toWellFormed().trim(), 300));

/** Outcome `ignored`: well formed, but nothing to record, such as a provider's ping. A currency alone is nothing. */
export function holdsNothing(reading: Reading): boolean {
  const { contact, amount, orderId, visitorId, clickIds, existingEmail, properties } = reading;
  const fields = [...Object.values(contact), amount, orderId, visitorId, existingEmail];
  const isEmpty = clickIds.length === 0 && Object.keys(properties).length === 0;
  return isEmpty && fields.every((field) => field === null);
}
