import { createHash } from "node:crypto";
import type { RandomBytes } from "../ids";

/**
 * An API key is `aas_` and 43 base-62 digits, the number made of
 *
 *     20 random bytes | 4 bytes workspace | 4 bytes member | 4 bytes checksum
 *
 * The checksum makes that number leave the remainder 1 on division by the prime 2^32 - 5. So a typo is refused without
 * a look-up, and, other than with a CRC (which promises nothing about digits), provably so: changing one character adds
 * d * 62^k with |d| < 62, swapping any two adds d * 62^j * (62^i - 1); neither is a multiple of the prime, because 62
 * has an order above 42 modulo it. Anything else passes once in 2^32. The remainder is 1 rather than 0 so that shifted
 * digits do not pass.
 *
 * Workspace and member are in the key so that the authorizer can read key, plan and access in one round trip; they
 * prove nothing by themselves, the stored hash does.
 */
export interface ParsedKey {
  readonly workspace: number;
  readonly member: number;
}

const PREFIX = "aas_";
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const LENGTH = 43;
const CHECK_PRIME = 4_294_967_291n;
const RANDOM_BYTES = 20;
const UINT32 = 0xffff_ffff;

/** A new key for a member (both numbers from 1 to 2^32 - 1). The only moment its full value exists. */
export function newApiKey({ workspace, member }: ParsedKey, random: RandomBytes): string {
  let number = 0n;
  for (const byte of random(RANDOM_BYTES)) number = (number << 8n) | BigInt(byte);
  number = (number << 32n) | uint32(workspace);
  number = (number << 32n) | uint32(member);
  number <<= 32n;
  const missing = (1n - number) % CHECK_PRIME;
  return PREFIX + toDigits(number + (missing < 0n ? missing + CHECK_PRIME : missing));
}

/** Who a key claims to belong to, or null for what cannot be a key of ours. No look-up, no secret comparison. */
export function parseApiKey(text: string): ParsedKey | null {
  if (text.length !== PREFIX.length + LENGTH || !text.startsWith(PREFIX)) return null;
  const number = fromDigits(text.slice(PREFIX.length));
  if (number === null || number >> 256n !== 0n || number % CHECK_PRIME !== 1n) return null;
  const workspace = Number((number >> 64n) & BigInt(UINT32));
  const member = Number((number >> 32n) & BigInt(UINT32));
  return workspace > 0 && member > 0 ? { workspace, member } : null;
}

/** What is stored of a key, and looked up by: SHA-256 in hex. Plain hashing suffices for 160 random bits. */
export const hashApiKey = (key: string): string => createHash("sha256").update(key).digest("hex");

/** What lists show of a key: the first 8 and the last 4 characters (decisions: "API key"). */
export const previewOf = (key: string): string => `${key.slice(0, 8)}…${key.slice(-4)}`;

function uint32(value: number): bigint {
  if (!Number.isInteger(value) || value < 1 || value > UINT32) {
    throw new RangeError(`not a number a key can hold: ${value}`);
  }
  return BigInt(value);
}

function toDigits(number: bigint): string {
  let text = "";
  for (let left = number, i = 0; i < LENGTH; i++, left /= 62n) text = DIGITS[Number(left % 62n)] + text;
  return text;
}

function fromDigits(text: string): bigint | null {
  let number = 0n;
  for (const character of text) {
    const digit = DIGITS.indexOf(character);
    if (digit < 0) return null;
    number = number * 62n + BigInt(digit);
  }
  return number;
}
