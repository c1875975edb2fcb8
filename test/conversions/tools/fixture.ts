import type { JsonObject } from "../../../shared/domain/conversion/json";
import type { Contact, Reading } from "../../../shared/domain/conversion/reading";

/** What some tool sends, written in the style of its documentation, and all that is read from it. */
export interface ToolFixture {
  readonly tool: string;
  readonly type: string;
  readonly body: string;
  readonly reading: Omit<Reading, "properties">;
  /** Some of what stays a property, where it stands. */
  readonly kept: JsonObject;
  /** What was used and so is no property: paths with dots. */
  readonly gone: readonly string[];
}

type Read = Partial<Omit<Reading, "properties" | "contact"> & Contact>;
type Expected = Pick<ToolFixture, "kept" | "gone"> & { readonly read: Read };

export const sentAsJson = (tool: string, payload: JsonObject, expected: Expected): ToolFixture =>
  fixture(tool, "application/json; charset=utf-8", JSON.stringify(payload), expected);

/** Fields as they are written for people; escaped as tools escape them. */
export const sentAsForm = (
  tool: string,
  fields: Readonly<Record<string, string>>,
  expected: Expected,
): ToolFixture =>
  fixture(tool, "application/x-www-form-urlencoded", new URLSearchParams(fields).toString(), expected);

function fixture(tool: string, type: string, body: string, { read, kept, gone }: Expected): ToolFixture {
  const { email = null, phone = null, firstName = null, lastName = null, ...rest } = read;
  const reading = {
    contact: { email, phone, firstName, lastName },
    amount: null,
    currency: null,
    orderId: null,
    visitorId: null,
    clickIds: [],
    existingEmail: null,
    products: [],
    ...rest,
  };
  return { tool, type, body, reading, kept, gone };
}
