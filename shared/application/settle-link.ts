import type { ConversionEvent } from "../domain/conversion/event";
import { learntFrom } from "../domain/identity/changes";
import { nextLook } from "../domain/identity/link";
import { newId, type RandomBytes } from "../domain/ids";
import { type Instant, MINUTE } from "../domain/instant";
import type { Clock } from "../ports/clock";
import type { ConversionReader } from "../ports/conversions";
import type { LinkEntry, LinkLog, PendingLinks, Settlement } from "../ports/links";
import type { OutboxEntry } from "../ports/outbox";
import type { Identified, Identify } from "./identification";

export interface SettlingDependencies {
  readonly conversions: ConversionReader;
  /** By e-mail alone. */
  readonly identify: Identify;
  readonly links: PendingLinks;
  readonly log: LinkLog;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Must not throw: the sweeper sees to what is lost. */
  readonly wakeRelay: (entry: OutboxEntry) => Promise<void>;
}

export type SettleLink = (entry: LinkEntry) => Promise<void>;

/** How often an outcome is decided anew because the people it is about changed under it. */
const ATTEMPTS = 8;

/**
 * Looks once whether the person of a pending link is known by now (contract: "Existing-email link status"): moves the
 * sale onto them, gives up when the time is over, or sets the next look. Safe to call at any time and any number of
 * times: every outcome is one conditional transaction, and one that finds the link settled changes nothing.
 */
export function createSettleLink(dependencies: SettlingDependencies): SettleLink {
  const { conversions, links, log, clock, random, wakeRelay } = dependencies;

  /** Whether nothing is left to do. */
  async function look(entry: LinkEntry): Promise<boolean> {
    const event = await conversions.find(entry.site, entry.event);
    if (event?.link?.status !== "pending") {
      await settled(entry, event);
      return true;
    }
    const now = clock();
    const settlement = await decide(event, now);
    if (!settlement) {
      await links.postpone(entry, nextLook(event.at, now, event.link.until));
      return true;
    }
    const result = await log.settle(settlement);
    const { version } = settlement.after;
    if (result === "settled" && version > event.version) await wakeRelay({ ...entry, version });
    return result !== "stale";
  }

  /** What becomes of a pending event at `now`; null while there is time and nobody known. */
  async function decide(event: ConversionEvent, now: Instant): Promise<Settlement | null> {
    if (event.link?.status !== "pending") return null;
    const { existingEmail, until } = event.link;
    const reading = { contact: event.contact, existingEmail, visitorId: null, clickIds: [] };
    const identified = await dependencies.identify({ site: event.site, at: event.at, reading, until });
    const { link } = identified;
    if (link?.status === "linked") {
      const after = movedTo(event, identified);
      const newPersonId = newId("per", now, random);
      return {
        before: event,
        after,
        changes: learntFrom({ ...after, ...identified, match: after.match, now, newPersonId }),
      };
    }
    if (link?.status === "conflict") return { before: event, after: { ...event, link }, changes: [] };
    return now < until
      ? null
      : { before: event, after: { ...event, link: { existingEmail, status: "not_found" } }, changes: [] };
  }

  /**
   * The look-up of an event that has none to make. One without its event is left to its `ttl`: its transaction may be
   * still under way, and what began to be visible must not be taken for what was deleted.
   */
  const settled = (entry: LinkEntry, event: ConversionEvent | null): Promise<void> =>
    event ? links.remove(entry) : links.postpone(entry, clock() + 15 * MINUTE);

  return async (entry) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) if (await look(entry)) return;
    throw new Error("the people of a pending link kept changing while it was settled");
  };
}

/**
 * The event on the journey of the person linked to. A visitor or a click it was matched by outweighs every e-mail (rule
 * 2); and where the person's journey has no visit up to the event, it keeps the one it has.
 */
function movedTo(event: ConversionEvent, { link, match }: Identified): ConversionEvent {
  const isStronger = event.match !== null && event.match.by !== "email";
  return {
    ...event,
    link,
    match: isStronger ? event.match : (match ?? event.match),
    version: event.version + 1,
  };
}
