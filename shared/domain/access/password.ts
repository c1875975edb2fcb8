import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import type { RandomBytes } from "../ids";

/** Cost of scrypt: memory is 128 * 2^log2N * r bytes. */
export interface PasswordCost {
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** One of OWASP's equivalent minima: 32 MB, about 0.2 s on one core. */
export const PASSWORD_COST: PasswordCost = { log2N: 15, r: 8, p: 3 };

const KEY_BYTES = 32;
const STORED = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9_-]+)\$([A-Za-z0-9_-]+)$/;

/**
 * The stored form of a password, `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`: the cost is kept with the hash, so that it can
 * be raised without locking anyone out.
 */
export async function hashPassword(
  password: string,
  random: RandomBytes,
  cost: PasswordCost = PASSWORD_COST,
): Promise<string> {
  const salt = random(16);
  return stored(cost, salt, await derive(password, salt, cost));
}

/** Whether `password` is the one `storedHash` was made of, in time that does not depend on how alike they are. */
export async function verifyPassword(password: string, storedHash: string): Promise<boolean> {
  const [, log2N, r, p, salt, hash] = STORED.exec(storedHash) ?? [];
  if (salt === undefined || hash === undefined) return false;
  const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, "base64url"), cost);
  const expected = Buffer.from(hash, "base64url");
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}

/** A hash no password fits, of the same cost: what an unknown e-mail is verified against, to take the same time. */
export function decoyHash(cost: PasswordCost = PASSWORD_COST): string {
  return stored(cost, new Uint8Array(16), new Uint8Array(KEY_BYTES));
}

const stored = ({ log2N, r, p }: PasswordCost, salt: Uint8Array, hash: Uint8Array): string =>
  `$scrypt$ln=${log2N},r=${r},p=${p}$${base64url(salt)}$${base64url(hash)}`;

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");

/** The same characters typed on another keyboard may come as other code points, hence NFKC. */
function derive(password: string, salt: Uint8Array, { log2N, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options: ScryptOptions = { N, r, p, maxmem: 256 * N * r };
  return new Promise((resolve, reject) =>
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  );
}
