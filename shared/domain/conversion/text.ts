import { inRange, parseAmount } from "./amount";
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

const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** An e-mail address as it was given, trimmed; 254 characters at most, as mail allows. */
export const emailAddress: FieldReader<string> = (value) => {
  const address = text(254)(value);
  // Equal to the value as sent: an address with control characters inside is none.
  return address !== null && address === String(value).trim() && EMAIL.test(address) ? address : null;
};

/** What two spellings of one e-mail have in common. */
export const normalEmail = (email: string): string => email.trim().toLowerCase();

/** A number or a numeric string, in units of the currency. */
export const amount: FieldReader<number> = (value) =>
  typeof value === "number" ? inRange(value) : typeof value === "string" ? parseAmount(value) : null;

/** Three letters, upper-cased: the shape of ISO 4217. */
export const currencyCode: FieldReader<string> = (value) => {
  const code = text(3)(value)?.toUpperCase() ?? "";
  return /^[A-Z]{3}$/.test(code) ? code : null;
};
