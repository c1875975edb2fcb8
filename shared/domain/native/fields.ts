import * as z from "zod";
import { isObject, type JsonObject, type JsonValue } from "../conversion/json";
import { type Contact, type Reading, readPayload } from "../conversion/reading";
import { emailAddress, text, textOrNumber } from "../conversion/text";

/** What services send changes with their versions: a field that is not what it was is absent, and the message is still read. */
export const maybe = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? null);

/** A field of any kind, for readers that know what to make of it; null where there is none. */
export const anything = z
  .unknown()
  .optional()
  .transform((value) => (value ?? null) as JsonValue);

/** A list with the entries that can be read. */
export const list = <Schema extends z.ZodType>(entry: Schema) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((entries) =>
      entries.flatMap((value) => {
        const read = entry.safeParse(value);
        return read.success ? [read.data] : [];
      }),
    );

export const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {});

/** What customers themselves hang onto a message, by the names that receiving webhooks know (contract: "Payload fields read"). */
export const readFields = (payload: JsonObject): Reading => readPayload(payload, { linksEmails: false });

/** The entries of `object` that hold something. */
export const present = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null && value !== ""));

interface SaidOfPerson {
  readonly email: JsonValue;
  readonly phone: JsonValue;
  /** The whole name, where a service keeps it in one: its first word is the first name, the rest the last. */
  readonly name: JsonValue;
  readonly firstName?: JsonValue;
  readonly lastName?: JsonValue;
}

/** The contact by a service's own fields, then by what `otherwise` holds, then by the parts of the whole name. */
export function contactOf(said: SaidOfPerson, otherwise: Contact): Contact {
  const [first = "", ...rest] = (text(400)(said.name) ?? "").split(/\s+/);
  const name = text(200);
  return {
    email: emailAddress(said.email) ?? otherwise.email,
    phone: textOrNumber(64)(said.phone) ?? otherwise.phone,
    firstName: name(said.firstName ?? null) ?? otherwise.firstName ?? name(first),
    lastName: name(said.lastName ?? null) ?? otherwise.lastName ?? name(rest.join(" ")),
  };
}
