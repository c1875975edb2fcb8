import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { decode, encode } from "@msgpack/msgpack";

const RAW = 0;
const ZSTD = 1;
const WORTH_COMPRESSING = 200;

/**
 * One value as bytes: MessagePack, compressed where that helps, behind one byte that says which. Equal values give
 * equal bytes (keys are sorted), so that a rebuilt cube can be compared with the one it replaces.
 */
export function pack(value: unknown): Uint8Array {
  const plain = encode(value, { sortKeys: true });
  if (plain.length >= WORTH_COMPRESSING) {
    const squeezed = zstdCompressSync(plain);
    if (squeezed.length < plain.length) return prefixed(ZSTD, squeezed);
  }
  return prefixed(RAW, plain);
}

/** Inverse of {@link pack}. Throws on bytes it did not make. */
export function unpack(bytes: Uint8Array): unknown {
  const content = bytes.subarray(1);
  if (bytes[0] === ZSTD) return decode(zstdDecompressSync(content));
  if (bytes[0] === RAW) return decode(content);
  throw new Error(`unknown packing ${bytes[0]}`);
}

function prefixed(format: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(content.length + 1);
  bytes[0] = format;
  bytes.set(content, 1);
  return bytes;
}
