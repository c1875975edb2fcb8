import type { Match } from "../conversion/event";
import type { Contact } from "../conversion/reading";
import type { Instant } from "../instant";
import type { AttachedVisitor, KnownEmail, Person } from "./known-email";
import type { Link } from "./link";
import { personAfter } from "./person";

/** Something that becomes known by a conversion. */
export type IdentityChange =
  | { readonly kind: "person"; readonly before: Person | null; readonly after: Person }
  | { readonly kind: "attach"; readonly email: string; readonly visitor: AttachedVisitor }
  | {
      readonly kind: "second";
      readonly email: string;
      /** The first e-mail of the person whose second it becomes. */
      readonly of: string;
      readonly at: Instant;
    };

/** A conversion, and what was known before it. */
export interface Learning {
  readonly contact: Contact;
  readonly at: Instant;
  /** When it becomes known; later than `at` where a link was pending. */
  readonly now: Instant;
  readonly match: Match | null;
  readonly link: Link | null;
  /** Of the e-mail paid with; null when there is none. */
  readonly paid: KnownEmail | null;
  /** Of the first e-mail of the person linked to; null when there is none. */
  readonly linked: KnownEmail | null;
  /** The id (`per_...`) of a person not known before. */
  readonly newPersonId: string;
}

/**
 * What a conversion adds to what is known. The names are those of the person whose sale it is; a visitor recognised by
 * something stronger than an e-mail is somebody with this e-mail from now on. A second e-mail is not attached by a link
 * alone: a later sale with nothing but that lands on that e-mail again (contract: "Inbound webhook", rule 8).
 */
export function learntFrom({
  contact,
  at,
  now,
  match,
  link,
  paid,
  linked,
  newPersonId,
}: Learning): IdentityChange[] {
  const subject = linked ?? paid;
  if (!paid || !subject) return [];
  const changes: IdentityChange[] = [];
  const after = personAfter(subject.person, subject.email, { contact, at, newId: newPersonId });
  if (after) changes.push({ kind: "person", before: subject.person, after });
  if (match && match.by !== "email") {
    const visitor = { evid: match.evid, ...match.latest };
    for (const { email, visitors } of new Set([paid, subject])) {
      const known = visitors.find(({ evid }) => evid === visitor.evid);
      if (!known || known.at < visitor.at) changes.push({ kind: "attach", email, visitor });
    }
  }
  if (link?.status === "linked" && link.person !== paid.email && !paid.secondOf) {
    changes.push({ kind: "second", email: paid.email, of: link.person, at: now });
  }
  return changes;
}
