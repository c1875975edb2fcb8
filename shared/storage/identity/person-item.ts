import * as z from "zod";
import type { Person, SecondOf } from "../../domain/identity/known-email";

/** How people look in the Identity table, both ways. What is read is parsed. */

const personSchema = z.object({
  id: z.string(),
  email: z.string(),
  first_name: z.string().nullable().default(null),
  last_name: z.string().nullable().default(null),
  phone: z.string().nullable().default(null),
  display_name: z.string(),
  created: z.int(),
  told_at: z.int(),
});

export function fromPersonItem(item: unknown): Person {
  const { first_name, last_name, display_name, told_at, ...same } = personSchema.parse(item);
  return { ...same, firstName: first_name, lastName: last_name, displayName: display_name, toldAt: told_at };
}

const secondSchema = z.object({ of: z.string(), since: z.int() });

export const toSecondItem = ({ email, since }: SecondOf) => ({ of: email, since });

export function fromSecondItem(item: unknown): SecondOf {
  const { of, since } = secondSchema.parse(item);
  return { email: of, since };
}

/**
 * The update that makes a person what they are after something became known. Without a condition, so that whoever meets
 * a person first makes them and everybody else adds to them: what is fixed at the first meeting is set where it is not yet,
 * and of the rest only what is news.
 */
export function personUpdate(before: Person | null, after: Person) {
  const fixed = {
    id: after.id,
    email: after.email,
    display_name: after.displayName,
    created: after.created,
  };
  const told = {
    first_name: after.firstName === before?.firstName ? null : after.firstName,
    last_name: after.lastName === before?.lastName ? null : after.lastName,
    phone: after.phone === before?.phone ? null : after.phone,
    told_at: after.toldAt,
  };
  const news = Object.entries(told).filter(([, value]) => value !== null);
  const sets = [
    ...Object.keys(fixed).map((name) => `#${name} = if_not_exists(#${name}, :${name})`),
    ...news.map(([name]) => `#${name} = :${name}`),
  ];
  const all = [...Object.entries(fixed), ...news];
  return {
    UpdateExpression: `SET ${sets.join(", ")}`,
    ExpressionAttributeNames: Object.fromEntries(all.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(all.map(([name, value]) => [`:${name}`, value])),
  };
}
