import type { Instant } from "../instant";

/** Somebody who told who they are, by the e-mail they told first. It never changes (contract: "Inbound webhook", rule 6). */
export interface Person {
  /** `per_...`. */
  readonly id: string;
  /** Lower case. What distinguishes one person of a site from another. */
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phone: string | null;
  /** As it was when the person was first met; no conversion changes it (rule 5). */
  readonly displayName: string;
  /** When the person became known. */
  readonly created: Instant;
  /** Of when the names and the phone are. */
  readonly toldAt: Instant;
}

/** Whose second e-mail one is. */
export interface SecondOf {
  /** The person's first e-mail, lower case. */
  readonly email: string;
  readonly since: Instant;
}

/** A visitor an e-mail was attached to, with the latest such visit and its start. */
export interface AttachedVisitor {
  readonly evid: string;
  readonly visit: string;
  readonly at: Instant;
}

/** All that is known of an e-mail of a site. */
export interface KnownEmail {
  /** Trimmed, lower case. */
  readonly email: string;
  /** The person whose first e-mail it is. */
  readonly person: Person | null;
  readonly secondOf: SecondOf | null;
  /** Those attached to it last come first. */
  readonly visitors: readonly AttachedVisitor[];
  /** Events waiting for the person of this e-mail to appear; some of them, where there are many. */
  readonly waiting: readonly string[];
}

/** The first e-mails of the people an e-mail leads to, and since when it does: whose first e-mail it is before whose second. */
export function peopleBehind({ person, secondOf }: KnownEmail): SecondOf[] {
  return [
    ...(person ? [{ email: person.email, since: person.created }] : []),
    ...(secondOf ? [secondOf] : []),
  ];
}
