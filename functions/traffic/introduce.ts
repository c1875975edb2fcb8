import type { TrafficHit } from "../../shared/domain/tracking/message";
import type { LinkEntry } from "../../shared/ports/links";
import type { Introduction, PeopleRegistry } from "../../shared/ports/people";
import { settleByName } from "./settle-by-name";

type Named = readonly [name: string, introduction: Introduction];

/** A page's `attribution("identify", ...)` with an e-mail; without one it names nobody. */
export function introductionOf(site: number, hit: TrafficHit): Named[] {
  if (hit.kind !== "identify" || hit.contact.email === undefined) return [];
  const { email, phone, first_name, last_name } = hit.contact;
  const contact = { phone: phone || null, firstName: first_name || null, lastName: last_name || null };
  return [[`person ${site} ${email}`, { site, email, contact, at: hit.at }]];
}

/** Each person once, with the latest they said of each thing. */
export function mergeIntroductions(named: readonly Named[]): Map<string, Introduction> {
  const merged = new Map<string, Introduction>();
  for (const [name, one] of named.toSorted(([, a], [, b]) => a.at - b.at)) {
    const { phone, firstName, lastName } = merged.get(name)?.contact ?? one.contact;
    const contact = {
      phone: one.contact.phone ?? phone,
      firstName: one.contact.firstName ?? firstName,
      lastName: one.contact.lastName ?? lastName,
    };
    merged.set(name, { ...one, contact });
  }
  return merged;
}

/** Look-ups woken for one person; where more wait, the clock finds the rest. */
const MOST_WOKEN = 25;

/** Makes the people of these plans known, and wakes what waits for them. Answers the names of those it went well with. */
export async function introduce(
  people: PeopleRegistry,
  wakeLinks: (entries: readonly LinkEntry[]) => Promise<void>,
  plans: readonly { readonly people: ReadonlyMap<string, Introduction> }[],
): Promise<ReadonlySet<string>> {
  const introductions = mergeIntroductions(plans.flatMap((plan) => [...plan.people]));
  const told = await settleByName("people", introductions, (some) => people.tell(some));
  const woken = [...told].flatMap(([name, waiting]) => {
    const site = introductions.get(name)?.site;
    return site === undefined ? [] : waiting.slice(0, MOST_WOKEN).map((event) => ({ site, event }));
  });
  if (woken.length > 0) await wakeLinks(woken);
  return new Set(told.keys());
}
