import { isObject, type JsonObject, type JsonValue } from "./json";

/** Largest body of an inbound webhook, in bytes as they were sent (contract: "Limits", 256 KB). */
export const MAX_BODY_BYTES = 256 * 1024;

/** A payload, or in a sentence for the sender why there is none (outcome `parse error`). */
export type BodyReading = { readonly payload: JsonObject } | { readonly problem: string };

/**
 * Reads the body of an inbound webhook: one JSON object, which some tools wrap into an array of one. `null` and `[]`
 * are well formed and hold nothing. Several objects are refused rather than guessed at: one delivery, one conversion.
 */
export function readBody(bytes: Uint8Array): BodyReading {
  const text = decode(bytes);
  if (text === null) return { problem: "The body is not valid UTF-8." };
  if (text.trim() === "") return { problem: "The body is empty. Send one JSON object." };
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: "The body is not valid JSON." };
  }
  const only = Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
  if (only === null) return { payload: {} };
  if (isObject(only)) return { payload: only };
  return {
    problem: Array.isArray(only)
      ? "The body is an array of several entries. Send one JSON object for each conversion."
      : "The body is not a JSON object.",
  };
}

/** UTF-8 without its byte order mark; null when it is not. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
