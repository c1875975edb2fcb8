import type { QueueMessage } from "../../shared/lambda/queue";
import type { FactSink } from "../../shared/ports/facts";
import type { LinkEntry } from "../../shared/ports/links";
import type { PeopleRegistry } from "../../shared/ports/people";
import type { SiteDirectory } from "../../shared/ports/sites";
import type { VisitJournal, VisitorRegistry } from "../../shared/ports/visitor-registry";
import { introduce } from "./introduce";
import { mergeEntries, mergeSightings, type Plan } from "./plan";
import { planAll } from "./plan-all";
import { settleByName } from "./settle-by-name";

export interface TrafficDependencies {
  readonly sites: SiteDirectory;
  readonly registry: VisitorRegistry;
  readonly journal: VisitJournal;
  readonly people: PeopleRegistry;
  /** Has look-ups made at once that wait for somebody who appeared. Must not throw: the clock finds them too. */
  readonly wakeLinks: (entries: readonly LinkEntry[]) => Promise<void>;
  readonly facts: FactSink;
  /** Records what a plan's pages reported. Done again, it changes nothing. */
  readonly recordEvents: (plan: Plan) => Promise<void>;
}

/**
 * Writes a batch of messages: visitors and visits first, people, facts and events of the pages last, so that a crash in
 * between and the redelivery after it repeat harmlessly. Answers the ids of the messages to try again.
 */
export const trafficWriter =
  ({ sites, registry, journal, people, wakeLinks, facts, recordEvents }: TrafficDependencies) =>
  async (messages: readonly QueueMessage[]): Promise<string[]> => {
    const { plans, unplanned } = await planAll(messages, sites);

    const [visitors, written] = await Promise.all([
      settleByName("visitors", mergeSightings(plans), (some) => registry.resolve(some)),
      settleByName("visits", mergeEntries(plans.flatMap(({ entries }) => [...entries])), (some) =>
        journal.write(some),
      ),
    ]);

    const ready = plans.flatMap((plan) => {
      const visitor = visitors.get(plan.visitor);
      const isWritten = [...plan.entries.keys()].every((name) => written.has(name));
      return visitor && isWritten ? [{ id: plan.id, site: plan.site, facts: plan.facts(visitor), plan }] : [];
    });
    const telling = introduce(
      people,
      wakeLinks,
      ready.map(({ plan }) => plan),
    );
    const recording = settleByName(
      "events",
      new Map(ready.filter(({ plan }) => plan.events.length > 0).map(({ id, plan }) => [id, plan])),
      (some) => Promise.allSettled(some.map(recordEvents)),
    );
    const appended = await settleByName(
      "facts",
      Map.groupBy(ready, ({ site }) => site),
      (groups) =>
        Promise.allSettled(
          groups.map(async (group) => {
            const all = group.flatMap(({ facts }) => facts);
            if (group[0] && all.length > 0) await facts.append(group[0].site, all);
          }),
        ),
    );

    const [recorded, told] = await Promise.all([recording, telling]);
    const done = new Set(
      ready
        .filter(({ id, site, plan }) => appended.has(site) && (plan.events.length === 0 || recorded.has(id)))
        .filter(({ plan }) => [...plan.people.keys()].every((name) => told.has(name)))
        .map(({ id }) => id),
    );
    return [...unplanned, ...plans.map(({ id }) => id).filter((id) => !done.has(id))];
  };
