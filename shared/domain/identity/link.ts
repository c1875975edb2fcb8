import { emailAddress, normalEmail } from "../conversion/text";
import { type Instant, MINUTE } from "../instant";
import { correctedEmail } from "./email-corrections";
import { type KnownEmail, peopleBehind } from "./known-email";

/** What became of the `existing_email` of a conversion (contract: "Existing-email link status"). */
export type Link = {
  /** As it was sent. */
  readonly existingEmail: string;
} & (
  | {
      readonly status: "linked";
      /** The first e-mail of the person whose sale it is. */
      readonly person: string;
    }
  | {
      readonly status: "pending";
      /** How long the person is looked for. */
      readonly until: Instant;
    }
  | { readonly status: "not_found" }
  | { readonly status: "conflict"; readonly reason: "paid_email_linked_elsewhere" }
  | { readonly status: "ignored"; readonly reason: IgnoredReason }
);
export type LinkStatus = Link["status"];
type IgnoredReason = "invalid_existing_email" | "same_as_email" | "no_paid_email";

/** What the sender is told of it. */
export interface LinkResult {
  readonly status: LinkStatus;
  readonly existingEmail: string;
  /** Of a conflict, and of what was ignored. */
  readonly reason: "paid_email_linked_elsewhere" | IgnoredReason | null;
}

export const linkResult = (link: Link): LinkResult => ({
  status: link.status,
  existingEmail: link.existingEmail,
  reason: "reason" in link ? link.reason : null,
});

/** An e-mail in lower case and, where its domain is misspelt, corrected (contract: "Inbound webhook", rule 3). */
export function spellingsOf(email: string): string[] {
  const corrected = correctedEmail(email);
  return [...new Set([email, ...(corrected === null ? [] : [corrected])].map(normalEmail))];
}

/** Why an existing e-mail plays no part; null when it does. */
export function ignoredReason(existingEmail: string, paid: string | null): IgnoredReason | null {
  if (emailAddress(existingEmail) === null) return "invalid_existing_email";
  if (paid === null) return "no_paid_email";
  return normalEmail(existingEmail) === normalEmail(paid) ? "same_as_email" : null;
}

/**
 * The e-mails that the person meant by `existing_email` is looked for under, in order. That which was paid with is never
 * one of them, also where it is what a misspelt one is corrected to.
 */
export const lookedForUnder = (existingEmail: string, paid: string | null): string[] =>
  spellingsOf(existingEmail).filter((email) => paid === null || email !== normalEmail(paid));

/** What a link is decided on. */
export interface LinkQuestion {
  readonly existingEmail: string;
  /** What is known of the e-mails of {@link lookedForUnder}. */
  readonly existing: readonly KnownEmail[];
  readonly paid: KnownEmail;
  /** The end of the look-up: who became known later does not count. */
  readonly until: Instant;
}

/**
 * Whose sale it is. A paid e-mail that is a second one already belongs to a person whom the existing e-mail does not
 * lead to, or to that very person; also when nobody is known by the existing e-mail yet, it would be another one.
 */
export function decideLink({ existingEmail, existing, paid, until }: LinkQuestion): Link {
  const person = existing.flatMap(peopleBehind).find((found) => found.since <= until)?.email ?? null;
  const owner = paid.secondOf?.email ?? person;
  if (owner !== person && person !== paid.email) {
    return { existingEmail, status: "conflict", reason: "paid_email_linked_elsewhere" };
  }
  return person === null
    ? { existingEmail, status: "pending", until }
    : { existingEmail, status: "linked", person };
}

const FIRST_GAP = MINUTE;
const LONGEST_GAP = 15 * MINUTE;

/** When to look again for a person not known at `now`: after a minute, at growing gaps, at last when the time is over. */
export function nextLook(recordedAt: Instant, now: Instant, until: Instant): Instant {
  const gap = Math.min(Math.max(now - recordedAt, FIRST_GAP), LONGEST_GAP);
  return Math.min(now + gap, until);
}
