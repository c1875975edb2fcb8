import { clip } from "../clip";
import type { JsonObject, JsonValue } from "../conversion/json";
import { isCardNumberAsNumber } from "./numbers";
import { HIDDEN, isSecretName } from "./secret-names";
import { cutToBytes, visible, withoutSecrets } from "./text";

/** Largest preview, in bytes of UTF-8. */
export const MAX_PREVIEW_BYTES = 2048;

/** How deep a preview goes into a payload. */
const MAX_DEPTH = 10;
/** How much of a text is seen, and how much is looked through for it. */
const MAX_SHOWN = 200;
const MAX_READ = 4_096;
const MAX_READ_OF_BODY = 16_384;

const LEFT_OUT = "…";

/** How tools that send lists of fields write one: `{"label": "Password", "value": "..."}`. */
const NAMING = ["name", "key", "label", "title", "field", "question", "id"];
const HOLDING = new Set(["value", "values", "answer", "answers", "text", "content", "data"]);
const namesSecret = (object: JsonObject): boolean =>
  NAMING.some((name) => {
    const value = Object.hasOwn(object, name) ? object[name] : undefined;
    return typeof value === "string" && isSecretName(value);
  });

/**
 * A payload for people to recognise: JSON, its secrets hidden at any depth, long texts and the whole cut. What is
 * personal stays: these are the customers of those who look at it.
 */
export function previewPayload(payload: JsonObject): string {
  /** At most the length of what was written so far: nothing behind the cut is looked at. */
  let written = 0;
  const isFull = (): boolean => written > MAX_PREVIEW_BYTES;

  function seen(value: JsonValue, depth: number): JsonValue {
    written += 2; // itself, and a comma or a bracket
    if (typeof value === "string") return counted(shortened(value));
    if (typeof value === "number") return isCardNumberAsNumber(value) ? HIDDEN : value;
    if (typeof value !== "object" || value === null) return value;
    if (depth > MAX_DEPTH) return LEFT_OUT;
    return Array.isArray(value) ? seenEntries(value, depth) : seenFields(value as JsonObject, depth);
  }
  function seenEntries(entries: readonly JsonValue[], depth: number): JsonValue {
    const shown: JsonValue[] = [];
    for (const entry of entries) {
      if (isFull()) break;
      shown.push(seen(entry, depth + 1));
    }
    return shown;
  }
  function seenFields(fields: JsonObject, depth: number): JsonValue {
    const named = namesSecret(fields);
    const shown: [string, JsonValue][] = [];
    for (const name of Object.keys(fields)) {
      if (isFull()) break;
      const hidden = isSecretName(name) || (named && HOLDING.has(name));
      shown.push([counted(shortened(name)), hidden ? HIDDEN : seen(fields[name] ?? null, depth + 1)]);
    }
    return Object.fromEntries(shown);
  }
  function counted(text: string): string {
    written += text.length;
    return text;
  }
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
