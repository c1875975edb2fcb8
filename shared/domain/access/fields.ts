import * as z from "zod";
import { normalizeDomain } from "./site-domain";

/** A name people give to things: one line, trimmed, 1 to 100 characters. */
export const labelSchema = z
  .string()
  .trim()
  .min(1, "must not be empty")
  .max(100, "must have at most 100 characters")
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), "must not hold control characters");

/** A login address: trimmed and lower case. */
export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "must have at most 254 characters")
  .pipe(z.email("must be an e-mail address"));

/** A new password: 12 to 200 characters, any characters; length is what counts (NIST SP 800-63B). */
export const passwordSchema = z
  .string()
  .min(12, "must have at least 12 characters")
  .max(200, "must have at most 200 characters")
  .refine((text) => text.isWellFormed(), "must be text");

/** A site's domain, given as a host or pasted as an address. */
export const domainSchema = z
  .string()
  .max(2_000, "must be a domain such as shop.example")
  .transform((text, context) => {
    const domain = normalizeDomain(text);
    if (domain !== null) return domain;
    context.addIssue("must be a domain such as shop.example");
    return z.NEVER;
  });
