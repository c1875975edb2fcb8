import type { Contact } from "../conversion/reading";
import type { Instant } from "../instant";
import type { Person } from "./known-email";

/** What somebody said of themselves, and when. */
export interface Told {
  readonly contact: Pick<Contact, "firstName" | "lastName" | "phone">;
  readonly at: Instant;
  /** The id (`per_...`) of the person, when nobody was known by the e-mail. */
  readonly newId: string;
}

const FIELDS = ["firstName", "lastName", "phone"] as const;

/**
 * The person of this e-mail once `told` is known; null when that changes nothing. A new value replaces an older one, an
 * absent one erases nothing, and what arrives late only fills what is empty. The e-mail and the displayed name are
 * those the person was first met with (contract: "Inbound webhook", rules 5 and 6).
 */
export function personAfter(
  person: Person | null,
  email: string,
  { contact, at, newId }: Told,
): Person | null {
  if (!person) {
    const { firstName, lastName, phone } = contact;
    const displayName = [firstName, lastName].filter((name) => name !== null).join(" ") || email;
    return { id: newId, email, firstName, lastName, phone, displayName, created: at, toldAt: at };
  }
  const isNews = at >= person.toldAt;
  const news = FIELDS.filter((field) => {
    const value = contact[field];
    return value !== null && value !== person[field] && (isNews || person[field] === null);
  });
  if (news.length === 0) return null;
  const changed = Object.fromEntries(news.map((field) => [field, contact[field]]));
  return { ...person, ...changed, toldAt: Math.max(at, person.toldAt) };
}
