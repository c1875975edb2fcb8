import { gzipSync } from "node:zlib";

/** A text below this size, in bytes, fits into one packet as it is. */
const WORTHWHILE_BYTES = 1_400;

/** Whether answers of this size are sent gzipped to clients that take it, and so vary by `Accept-Encoding`. */
export const isWorthCompressing = (text: string): boolean => Buffer.byteLength(text) >= WORTHWHILE_BYTES;

/**
 * `text` gzipped, or null when the client's `Accept-Encoding` does not allow it. The gateway compresses nothing itself;
 * JSON of many rows shrinks to a tenth.
 */
export function gzipFor(acceptEncoding: string | undefined, text: string): Buffer | null {
  return acceptsGzip(acceptEncoding ?? "") ? gzipSync(text) : null;
}

/** Whether gzip is among the codings of the header (RFC 9110, 12.5.3), by name or else by `*`, and not at weight 0. */
function acceptsGzip(header: string): boolean {
  const weights = new Map<string, number>();
  for (const entry of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = entry.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
