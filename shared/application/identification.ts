import type { Match } from "../domain/conversion/event";
import type { Reading } from "../domain/conversion/reading";
import type { KnownEmail } from "../domain/identity/known-email";
import { decideLink, ignoredReason, type Link, lookedForUnder, spellingsOf } from "../domain/identity/link";
import type { Instant } from "../domain/instant";
import type { PeopleReader } from "../ports/people";
import type { MatchQuestion } from "./matching";

/** Who a conversion is of. */
export interface Identified {
  readonly match: Match | null;
  /** Null when no `existing_email` was sent. */
  readonly link: Link | null;
  /** Of the e-mail paid with; null when there is none. */
  readonly paid: KnownEmail | null;
  /** Of the first e-mail of the person linked to; null when there is none. */
  readonly linked: KnownEmail | null;
}

interface IdentificationQuestion {
  readonly site: number;
  readonly at: Instant;
  readonly reading: Pick<Reading, "visitorId" | "clickIds" | "existingEmail"> & {
    readonly contact: Pick<Reading["contact"], "email">;
  };
  /** How long the person of an existing e-mail is looked for. */
  readonly until: Instant;
}

export type Identify = (question: IdentificationQuestion) => Promise<Identified>;

export interface IdentificationDependencies {
  readonly people: PeopleReader;
  readonly match: (question: MatchQuestion) => Promise<Match | null>;
}

/**
 * Finds out whose a conversion is: the person linked to, and the visit. E-mails are read along with everything else, so
 * that all of it takes two round trips; one more where the existing e-mail is itself a second one.
 */
export const createIdentify =
  ({ people, match }: IdentificationDependencies): Identify =>
  async ({ site, at, reading, until }) => {
    const { visitorId, clickIds, contact, existingEmail } = reading;
    const known = once((email: string) => people.known(site, email));
    const allKnown = (emails: readonly string[]) => Promise.all(emails.map(known));

    const spellings = contact.email === null ? [] : spellingsOf(contact.email);
    const underPaid = allKnown(spellings);
    const linking = linkOf();
    const emails = linking.then(async ({ journeys }) => [...journeys, ...(await underPaid)]);
    const [paid, { link, linked }, found] = await Promise.all([
      underPaid,
      linking,
      match({ site, at, visitorId, clickIds, emails }),
    ]);
    return { match: found, link, paid: paid[0] ?? null, linked };

    async function linkOf() {
      const none = { linked: null, journeys: [] };
      if (existingEmail === null) return { link: null, ...none };
      const reason = ignoredReason(existingEmail, contact.email);
      const lookedFor = reason === null ? lookedForUnder(existingEmail, contact.email) : [];
      const [existing, [own]] = await Promise.all([allKnown(lookedFor), underPaid]);
      if (reason !== null || !own) {
        const ignored = { status: "ignored", reason: reason ?? "no_paid_email" } as const;
        return { link: { existingEmail, ...ignored }, ...none };
      }
      const link = decideLink({ existingEmail, existing, paid: own, until });
      if (link.status !== "linked") return { link, ...none };
      const linked = await known(link.person);
      return { link, linked, journeys: [...new Set([linked, ...existing])] };
    }
  };

/** `ask`, which answers the same question once. */
function once<Answer>(ask: (question: string) => Promise<Answer>): (question: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (question) => {
    const answer = answers.get(question) ?? ask(question);
    answers.set(question, answer);
    return answer;
  };
}
