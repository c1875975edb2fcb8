import type { JsonObject } from "../json";
import { nest, type Pair } from "./bracketed";

/** The first line of a multipart form and the header that makes it one, in ASCII. */
const OPENING =
  /^(?:\r\n)*--([^\r\n]{1,70})\r\n(?:[\w-]+:[^\r\n]*\r\n){0,5}?content-disposition:\s*form-data/i;
const OPENING_BYTES = 1_024;

/**
 * The content type under which `bytes` are read as a multipart form: the one they were sent with, or, where that is
 * another or lacks the boundary, one with the boundary they begin with. Null when they are no multipart form.
 */
export function multipartType(bytes: Uint8Array, sentAs: string): string | null {
  if (/^\s*multipart\/form-data\s*;.*boundary=/i.test(sentAs)) return sentAs;
  const boundary = OPENING.exec(Buffer.from(bytes.subarray(0, OPENING_BYTES)).toString("latin1"))?.[1];
  return boundary === undefined ? null : `multipart/form-data; boundary="${boundary}"`;
}

/** Reads the text fields of a multipart form; files are left out. Null when it is broken or breaks off. */
export async function readMultipart(bytes: Uint8Array, contentType: string): Promise<JsonObject | null> {
  try {
    const headers = { "content-type": contentType };
    const form = await new Response(new Uint8Array(bytes), { headers }).formData();
    return nest([...form].filter((pair): pair is [string, string] & Pair => typeof pair[1] === "string"));
  } catch {
    return null;
  }
}
