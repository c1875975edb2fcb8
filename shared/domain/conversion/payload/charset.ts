const UTF_8 = "utf-8";

/** Byte order marks, and the encoding each stands for. They outrank what a content type says. */
const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], UTF_8],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/** What text in UTF-16 or ISO-2022 is full of when it is taken for UTF-8. */
const MARKS_OF_OTHERS = ["\0", "\u001b"];

/**
 * The text of a body; null when its bytes are not text. It is what its byte order mark says; else UTF-8 where it can be,
 * since content types are often wrong about that (and a gateway that hands bodies on as text has made UTF-8 of them);
 * else what its content type says.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string | null {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  if (marked) return decodeAs(marked[1], bytes);
  const text = decodeAs(UTF_8, bytes);
  const isWhole = text !== null && !MARKS_OF_OTHERS.some((mark) => text.includes(mark));
  return isWhole || charset === null ? text : decodeAs(charset, bytes);
}

/**
 * The text of bytes that were percent-encoded in a form, which says less about its encoding: in `charset`, else UTF-8,
 * else what tools of old wrote, Windows-1252. Always some text.
 */
export const decodeEscaped = (bytes: Uint8Array, charset: string | null): string =>
  decodeAs(charset ?? UTF_8, bytes) ??
  decodeAs(UTF_8, bytes) ??
  new TextDecoder("windows-1252").decode(bytes);

/** Null when the bytes are not of that encoding, or nobody knows it. */
function decodeAs(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
