import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** The bytes as they were before `Content-Encoding`; or why there are none. */
type Unpacked = Uint8Array | "oversized" | "unreadable";
type Decoder = (bytes: Uint8Array, limit: { maxOutputLength: number }) => Uint8Array;

/** Codings by their names in `Content-Encoding` (RFC 9110, 8.4.1). */
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  // Many senders leave out the wrapper the name stands for; its first byte tells, as text never begins with it.
  ["deflate", (bytes, limit) => ((bytes[0] ?? 0) % 16 === 8 ? inflateSync : inflateRawSync)(bytes, limit)],
  ["br", brotliDecompressSync],
  ["zstd", zstdDecompressSync],
]);

/** More than any sender stacks; each costs a pass over the body. */
const MAX_CODINGS = 3;

/**
 * Undoes the codings of a `Content-Encoding`, the last first. What is not named as compressed but is gzip all the same
 * is unpacked too; what is named gzip and is not was unpacked on its way. No step puts out more than `limit` bytes,
 * however little it was made of.
 */
export function unpack(bytes: Uint8Array, contentEncoding: string, limit: number): Unpacked {
  const codings = contentEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim())
    .filter((coding) => coding !== "" && coding !== "identity");
  if (codings.length > MAX_CODINGS) return "unreadable";
  if (codings.length === 0) return isGzip(bytes) ? decode(gunzipSync, bytes, limit) : bytes;

  let unpacked = bytes;
  for (const coding of codings.reverse()) {
    const decoder = DECODERS.get(coding);
    if (!decoder) return "unreadable";
    if (coding.endsWith("gzip") && !isGzip(unpacked)) continue;
    const result = decode(decoder, unpacked, limit);
    if (typeof result === "string") return result;
    unpacked = result;
  }
  return unpacked;
}

function decode(decoder: Decoder, bytes: Uint8Array, limit: number): Unpacked {
  try {
    return decoder(bytes, { maxOutputLength: limit });
  } catch (error) {
    return Object(error).code === "ERR_BUFFER_TOO_LARGE" ? "oversized" : "unreadable";
  }
}

const isGzip = ([first, second]: Uint8Array): boolean => first === 0x1f && second === 0x8b;
