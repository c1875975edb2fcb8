import { clip } from "../clip";
import type { JsonObject, JsonValue } from "../conversion/json";
import { isCardNumberAsNumber } from "./numbers";
import { HIDDEN, isSecretName } from "./secret-names";
import { cutToBytes, visible, withoutSecrets } from "./text";

/** Largest preview, in bytes of UTF-8. */
export const MAX_PREVIEW_BYTES = 2048;

/** How deep, and how many values in all, a preview goes into a payload; more could not be seen. */
const MAX_DEPTH = 10;
const MAX_VALUES = 1_000;
/** How much of a text is seen, and how much is looked through for it. */
const MAX_SHOWN = 200;
const MAX_READ = 4_096;
const MAX_READ_OF_BODY = 16_384;

const LEFT_OUT = "…";

/** Fields that hold another field's name, in tools that send lists of them: `{"label": "Password", "value": "..."}`. */
const NAMING = new Set(["name", "key", "label", "title", "field", "question", "id"]);
const namesSecret = (object: JsonObject): boolean =>
  Object.entries(object).some(
    ([name, value]) => NAMING.has(name) && typeof value === "string" && isSecretName(value),
  );

/**
 * A payload for people to recognise: JSON, its secrets hidden at any depth, long texts and the whole cut. What is
 * personal stays: these are the customers of those who look at it.
 */
export function previewPayload(payload: JsonObject): string {
  let values = 0;
  const seen = (value: JsonValue, depth: number): JsonValue => {
    values++;
    if (typeof value === "string") return shortened(value);
    if (typeof value === "number") return isCardNumberAsNumber(value) ? HIDDEN : value;
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) return LEFT_OUT;
    if (Array.isArray(value)) return whileShown(value).map((entry) => seen(entry, depth + 1));
    const named = namesSecret(value as JsonObject);
    return Object.fromEntries(
      whileShown(Object.entries(value)).map(([name, entry]) => [
        shortened(name),
        isSecretName(name) || (named && !NAMING.has(name)) ? HIDDEN : seen(entry, depth + 1),
      ]),
    );
  };
  const whileShown = <Entry>(entries: readonly Entry[]): readonly Entry[] =>
    entries.slice(0, Math.max(MAX_VALUES - values, 0));
  return cutToBytes(visible(JSON.stringify(seen(payload, 1))), MAX_PREVIEW_BYTES);
}

/** The beginning of a body that is no payload, as text, its secrets hidden as far as they can be told. */
export function previewBody(body: Uint8Array): string {
  const bytes = body.subarray(0, MAX_READ_OF_BODY);
  const text = decode(bytes);
  const whole = bytes.length === body.length ? text : withoutLastWord(text);
  return cutToBytes(visible(withoutSecrets(whole)), MAX_PREVIEW_BYTES);
}

function shortened(text: string): string {
  const read = text.length <= MAX_READ ? text : withoutLastWord(clip(text, MAX_READ));
  const safe = withoutSecrets(read);
  const shown = clip(safe, MAX_SHOWN);
  const isAll = shown === safe && read === text;
  return isAll ? shown : `${shown}${LEFT_OUT}`;
}

/** Half a number is not recognised as what it is. */
const withoutLastWord = (text: string): string => text.replace(/[\w%+. -]{1,100}$/, "");

/**
 * UTF-8, else byte by byte. Without the NULs: text of two bytes a character is full of them, and a secret's name would not be
 * found among them.
 */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true }).replaceAll("\0", "");
  } catch {
    return Buffer.from(bytes).toString("latin1").replaceAll("\0", "");
  }
}
