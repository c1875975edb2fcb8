import { createHmac, timingSafeEqual } from "node:crypto";
import { MINUTE, SECOND } from "../instant";
import type { SignedMessage } from "./signature";

/** How far a signature's time may be from ours: what was overheard cannot be sent again later. */
const TOLERANCE = 5 * MINUTE;

const TIMESTAMP = /^\d{1,12}$/;
const DIGEST = /^[0-9a-f]{64}$/i;

/** Calendly's scheme: `t=<seconds>,v1=<hex of HMAC-SHA256 over "<t>.<body>", keyed with the signing key's UTF-8>`. */
export function isSignedByCalendly({ body, signature, secret, now }: SignedMessage): boolean {
  const parts = signature.split(",", 10).map((part) => part.trim().split("=", 2));
  const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value = ""]) => value);
  const [timestamp = ""] = valuesOf("t");
  if (!TIMESTAMP.test(timestamp) || Math.abs(now - Number(timestamp) * SECOND) > TOLERANCE) return false;
  const expected = createHmac("sha256", secret).update(`${timestamp}.`).update(body).digest();
  return valuesOf("v1").some(
    (value) => DIGEST.test(value) && timingSafeEqual(Buffer.from(value, "hex"), expected),
  );
}
