import type { JsonObject } from "../json";
import { nest, type Pair } from "./bracketed";
import { decodeEscaped } from "./charset";

/** What a form looks like that does not say so: a name as forms have them, and an equals sign. */
const LOOKS_LIKE_FORM = /^[\w.+*%[\]-]+=/;

/** Whether `text` is a form although its content type does not say so. */
export const looksLikeForm = (text: string): boolean => LOOKS_LIKE_FORM.test(text);

/**
 * Reads `name=value&...` (application/x-www-form-urlencoded). A broken escape such as `%zz` stays as it is. Null when
 * there is not one equals sign: any text would be a form otherwise.
 */
export function readForm(text: string, charset: string | null): JsonObject | null {
  if (!text.includes("=")) return null;
  const pairs = text
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair): Pair => {
      const [name, value] = halves(pair);
      return [decodeField(name, charset), decodeField(value, charset)];
    });
  return nest(pairs);
}

/** Reads a form sent as text/plain, as HTML has it: a line for each field, nothing escaped. Null when a line is no field. */
export function readPlainForm(text: string): JsonObject | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.length > 1 && lines.every(looksLikeForm) ? nest(lines.map(halves)) : null;
}

function halves(pair: string): Pair {
  const at = pair.indexOf("=");
  return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}

const decodeField = (text: string, charset: string | null): string =>
  text
    .replaceAll("+", " ")
    .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
      decodeEscaped(Buffer.from(escapes.replaceAll("%", ""), "hex"), charset),
    );
