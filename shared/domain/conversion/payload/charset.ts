const UTF_8 = "utf-8";

/** Byte order marks, and the encoding each stands for. They outrank what a content type says. */
const MARKS: readonly (readonly [mark: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], UTF_8],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];

/**
 * The text of a body: by its byte order mark, else by the charset of its content type, else UTF-8. A charset nobody
 * knows is taken for UTF-8. Null when the bytes are not text of that encoding.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string | null {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte));
  try {
    return decoderOf(marked?.[1] ?? charset, true).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * The text of bytes that were percent-encoded in a form, which says less about its encoding: in `charset`, else UTF-8,
 * else what tools of old wrote, Windows-1252. Always some text.
 */
export function decodeEscaped(bytes: Uint8Array, charset: string | null): string {
  try {
    return decoderOf(charset, true).decode(bytes);
  } catch {
    return decoderOf("windows-1252", false).decode(bytes);
  }
}

function decoderOf(encoding: string | null, fatal: boolean) {
  try {
    return new TextDecoder(encoding ?? UTF_8, { fatal });
  } catch {
    return new TextDecoder(UTF_8, { fatal });
  }
}
