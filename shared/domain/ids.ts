import { createHash } from "node:crypto";
import type { Instant } from "./instant";

/** Prefixes of public ids (decisions: "Names"). */
export type IdKind = "evt" | "per" | "dlv" | "wdst" | "whin" | "nint" | "key" | "ses" | "blk" | "rct";

/** Cryptographic randomness, passed in so that tests and demo data are reproducible. */
export type RandomBytes = (length: number) => Uint8Array;

/** The one id of something that has a name of its own, so that met again it is the same: `at` and `name` decide. */
export const namedId = (kind: IdKind, at: Instant, name: string): string =>
  newId(kind, at, (length) => createHash("sha256").update(name).digest().subarray(0, length));

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford base 32, whose order is the byte order

/** Time-ordered id of 128 bits (48 of time, 80 random) as 26 base-32 characters behind its kind, like `evt_01k...`. */
export function newId(kind: IdKind, at: Instant, random: RandomBytes): string {
  let value = BigInt(at);
  for (const byte of random(10)) value = (value << 8n) | BigInt(byte);
  return `${kind}_${base32(value)}`;
}

function base32(value: bigint): string {
  let text = "";
  for (let left = value, i = 0; i < 26; i++, left >>= 5n) text = ALPHABET[Number(left & 31n)] + text;
  return text;
}
