import type { JsonValue } from "./json";

/** Reads one field's value, or answers null: the value then stays a property (decisions: "Where fields are found"). */
export type FieldReader<Value> = (value: JsonValue) => Value | null;

const CONTROL = /\p{Cc}/gu;

/** Trimmed text without control characters, of at most `limit` UTF-16 units; never empty. */
export const text =
  (limit: number): FieldReader<string> =>
  (value) => {
    if (typeof value !== "string") return null;
    const clean = value.toWellFormed().replace(CONTROL, "").trim();
    return clean !== "" && clean.length <= limit ? clean : null;
  };

/** Like {@link text}, also from a number: tools send phones and order numbers as such. */
export const textOrNumber =
  (limit: number): FieldReader<string> =>
  (value) =>
    text(limit)(typeof value === "number" && Number.isFinite(value) ? String(value) : value);

/** What mail allows. */
const MAX_EMAIL = 254;
/** An address with its name may be longer; anything beyond is not even looked at. */
const MAX_MAILBOX = 1_000;
/** What comes along unseen when an address is copied from a page. */
const UNSEEN = /[\u200b-\u200f\u2060\ufeff]/g;
const EMAIL =
  /^[^\s\p{C}@<>()[\]{}",;:\\]+@[^\s\p{C}@<>()[\]{}",;:\\/.]+(\.[^\s\p{C}@<>()[\]{}",;:\\/.]+)+$/u;

/** An e-mail address as it was given: alone, behind `mailto:`, or as `Ann Lee <ann@example.com>`. Its case is kept. */
export const emailAddress: FieldReader<string> = (value) => {
  if (typeof value !== "string" || value.length > MAX_MAILBOX) return null;
  const mailbox = value.replace(UNSEEN, "").trim();
  const opened = mailbox.endsWith(">") ? mailbox.lastIndexOf("<") : -1;
  const inner = opened < 0 ? mailbox : mailbox.slice(opened + 1, -1);
  const address = inner.trim().replace(/^mailto:([^?]*).*$/i, "$1");
  return address.length <= MAX_EMAIL && EMAIL.test(address) ? address : null;
};

/** What two spellings of one e-mail have in common. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** Three letters, upper-cased: the shape of ISO 4217. */
export const currencyCode: FieldReader<string> = (value) => {
  const code = text(3)(value)?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
};
