import { withoutNumbers } from "./numbers";
import { HIDDEN, SECRET_NAME_SOURCE } from "./secret-names";

/**
 * A secret's name and its value in whatever the text is: broken JSON, JSON within a string, a form, XML, parts of a
 * multipart body, headers. The value ends with its quote; without one, with the field or the line; when it is a list or an
 * object of broken JSON, with the text. Rather too much is hidden than too little.
 */
const NAMED = new RegExp(
  [
    `(?<name>${SECRET_NAME_SOURCE})`,
    '(?<between>(?:[\\\\"\'\\]\\s]|%5d|%22)*(?:[:=>]|%3a|%3d)+(?:\\s|%20)*|\\\\*"[^\\r\\n]*\\r?\\n(?:[^\\r\\n]+\\r?\\n)*\\r?\\n)',
    '(?:(?<quote>\\\\*["\'])[\\s\\S]*?(?:(?<!\\\\)\\k<quote>|$)|[[{][\\s\\S]*|[^&\\r\\n"<]+)',
  ].join(""),
  "gi",
);

/** Secrets known by how they look. */
const BY_LOOKS = [
  /\b(?:bearer|basic)(?:\s|%20|\+)+[\w.~+/=-]{8,}/gi,
  /\b(?:sk|rk)_(?:live|test)_\w{8,}/g,
  /\bwhsec_[\w+/=-]{8,}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
];

/** `text` with everything in it hidden that is a secret by its name or its looks. */
export function withoutSecrets(text: string): string {
  const unnamed = text.replace(NAMED, `$<name>$<between>${HIDDEN}`);
  return withoutNumbers(BY_LOOKS.reduce((left, looks) => left.replace(looks, HIDDEN), unnamed));
}

/** Control characters, and those that are not seen or turn the text around them, as `\u....`. */
export const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    [...character]
      .flatMap((one) => [...Array(one.length).keys()].map((i) => one.charCodeAt(i)))
      .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
      .join(""),
  );

const MORE = "…";

/** As much of the beginning of `text` as fits into `bytes` of UTF-8, with a mark where something was cut off. */
export function cutToBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text.toWellFormed());
  if (encoded.length <= bytes) return encoded.toString();
  let end = bytes - Buffer.byteLength(MORE);
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end--;
  return encoded.subarray(0, end).toString() + MORE;
}
