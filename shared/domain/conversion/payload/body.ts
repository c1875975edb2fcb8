import { isObject, type JsonObject, type JsonValue } from "../json";
import { decodeText } from "./charset";
import { type ContentType, readContentType, saysForm, saysJson } from "./content-type";
import { looksLikeForm, readForm, readPlainForm } from "./form";
import { parseJson } from "./json-text";
import { multipartType, readMultipart } from "./multipart";
import { unpack } from "./unpack";

/**
 * Largest body of an inbound webhook, in bytes (contract: "Limits", 256 KB): as it was sent, and, where it was sent
 * compressed, also of what it unpacks to.
 */
export const MAX_BODY_BYTES = 256 * 1024;

/** The headers that say what a body is, by their names in lower case. */
export type BodyHeaders = Readonly<Partial<Record<"content-type" | "content-encoding", string>>>;

/** A payload; or that the body is too large; or in a sentence for the sender why there is none (`parse error`). */
export type BodyReading =
  | { readonly payload: JsonObject }
  | { readonly oversized: true }
  | { readonly problem: string };

/**
 * Reads the body of an inbound webhook: JSON, a form or a multipart form, of one conversion. What a body looks like
 * counts for more than what its content type says, since tools get that wrong; only what says that it is JSON must be.
 */
export async function readBody(sent: Uint8Array, headers: BodyHeaders): Promise<BodyReading> {
  if (sent.length > MAX_BODY_BYTES) return { oversized: true };
  const bytes = unpack(sent, headers["content-encoding"] ?? "", MAX_BODY_BYTES);
  if (bytes === "oversized") return { oversized: true };
  if (bytes === "unreadable") return { problem: "The body is not compressed as its Content-Encoding says." };

  const sentAs = headers["content-type"] ?? "";
  const multipart = multipartType(bytes, sentAs);
  if (multipart !== null) {
    const form = await readMultipart(bytes, multipart);
    if (form) return { payload: form };
  }
  const contentType = readContentType(sentAs);
  const text = decodeText(bytes, contentType.charset)?.trim();
  if (text === undefined) {
    return { problem: `The body is not valid ${contentType.charset ?? "UTF-8"}.` };
  }
  if (text === "") return { problem: "The body is empty. Send one JSON object." };
  if (/^[{["]/.test(text) || saysJson(contentType)) return readJson(text);
  return multipart === null
    ? readFormText(text, contentType)
    : { problem: "The body is not a whole multipart form." };
}

/** Other things are JSON where they can be, so that the sender of a bare `null` or `5` hears what is wrong with it. */
function readFormText(text: string, contentType: ContentType): BodyReading {
  const form = saysForm(contentType)
    ? readForm(text, contentType.charset)
    : (readPlainForm(text) ?? (looksLikeForm(text) ? readForm(text, contentType.charset) : null));
  if (form) return { payload: form };
  return parseJson(text) === undefined ? { problem: "The body is neither JSON nor a form." } : readJson(text);
}

/**
 * The object a JSON text stands for. Some tools wrap it into an array of one, or into a string; `null` and `[]` are well
 * formed and hold nothing. Several objects are refused rather than guessed at: one delivery, one conversion.
 */
function readJson(text: string): BodyReading {
  const parsed = parseJson(text);
  const value = typeof parsed === "string" ? parseJson(parsed) : parsed;
  if (value === undefined) {
    const problem = parsed === undefined ? "The body is not valid JSON." : NO_OBJECT;
    return { problem };
  }
  const only: JsonValue = Array.isArray(value) && value.length <= 1 ? (value[0] ?? null) : value;
  if (only === null) return { payload: {} };
  if (isObject(only)) return { payload: only };
  return { problem: Array.isArray(only) ? SEVERAL : NO_OBJECT };
}

const NO_OBJECT = "The body is not a JSON object.";
const SEVERAL = "The body is an array of several entries. Send one JSON object for each conversion.";
