import type { JsonValue } from "../json";

const MAY_HOLD_LONG_NUMBER = /\d{16}/;

/**
 * The value of a JSON text, undefined when it is none. As in every JSON parser, of a name given twice the last value
 * holds. Whole numbers too long to be held exactly become text, so that two order numbers stay two.
 */
export function parseJson(text: string): JsonValue | undefined {
  const plain = parse(text);
  // Naming each number's source is slow, and runs out of stack on what nests by the thousands.
  return plain !== undefined && MAY_HOLD_LONG_NUMBER.test(text) ? (parse(text, exactly) ?? plain) : plain;
}

function parse(text: string, reviver?: typeof exactly): JsonValue | undefined {
  try {
    return JSON.parse(text, reviver) as JsonValue;
  } catch {
    return undefined;
  }
}

/** `source`, of numbers and other plain values, is what stood in the text. */
const exactly = (_name: string, value: JsonValue, context?: { source?: string }): JsonValue =>
  typeof value === "number" && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? "")
    ? (context?.source ?? value)
    : value;
