import { bucketId } from "../../shared/domain/analytics/bucket";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import { log } from "../../shared/lambda/log";
import type { DueBucket, FacetBuild, FacetBuilds, SealingSchedule } from "../../shared/ports/analytics";
import type { Clock } from "../../shared/ports/clock";
import type { LinkEntry, PendingLinks } from "../../shared/ports/links";
import type { Outbox, OutboxEntry } from "../../shared/ports/outbox";
import type { Queue } from "../../shared/ports/queue";

/** The message of the Rollup queue. */
export interface RollupMessage {
  readonly site: number;
  /** Bucket ids. */
  readonly buckets: readonly string[];
}

export interface SweeperDependencies {
  readonly schedule: Pick<SealingSchedule, "due">;
  readonly builds: Pick<FacetBuilds, "due">;
  readonly outbox: Pick<Outbox, "due">;
  readonly rollups: Queue<RollupMessage>;
  readonly backfills: Queue<FacetBuild>;
  readonly announcements: Queue<OutboxEntry>;
  readonly links: Pick<PendingLinks, "due">;
  readonly lookUps: Queue<LinkEntry>;
  readonly clock: Clock;
}

/** What one sweep takes on, of each index partition; the rest is there a minute later. */
const LIMIT = 500;
/** Buckets in one message: about as many as a worker seals within its time. */
const BUCKETS_PER_MESSAGE = 48;
const AT_ONCE = 16;
/** Look-ups are sent ahead, timed by the queue: one that ends between two sweeps ends on time. */
const AHEAD = MINUTE;

/**
 * Every minute: sends what is due on its way again. All of it is found in the tables, so that a lost queue message
 * costs a minute and nothing else; what is on its way already is sent twice, which the workers do not mind.
 */
export const sweeperHandler = (dependencies: SweeperDependencies) => async (): Promise<void> => {
  const { schedule, builds, outbox, rollups, backfills, announcements, links, lookUps, clock } = dependencies;
  const now = clock();
  const [buckets, unbuilt, entries, looks] = await Promise.all([
    schedule.due(now, LIMIT),
    builds.due(now, LIMIT),
    outbox.due(now, LIMIT),
    links.due(now + AHEAD, LIMIT),
  ]);
  const messages = rollupMessages(buckets);
  await inTurns(messages, (message) => rollups.send(message));
  await inTurns(unbuilt, (build) => backfills.send(build));
  await inTurns(entries, (entry) => announcements.send(entry));
  await inTurns(looks, ({ entry, dueAt }) =>
    lookUps.send(entry, Math.ceil(Math.max(0, dueAt - now) / SECOND)),
  );
  log.info("swept", {
    buckets: buckets.length,
    backfills: unbuilt.length,
    announcements: entries.length,
    lookUps: looks.length,
  });
};

function rollupMessages(due: readonly DueBucket[]): RollupMessage[] {
  return [...Map.groupBy(due, ({ site }) => site)].flatMap(([site, some]) => {
    const ids = some.map(({ bucket }) => bucketId(bucket));
    return Array.from({ length: Math.ceil(ids.length / BUCKETS_PER_MESSAGE) }, (_, i) => ({
      site,
      buckets: ids.slice(i * BUCKETS_PER_MESSAGE, (i + 1) * BUCKETS_PER_MESSAGE),
    }));
  });
}

async function inTurns<Item>(items: readonly Item[], send: (item: Item) => Promise<void>): Promise<void> {
  for (let i = 0; i < items.length; i += AT_ONCE) await Promise.all(items.slice(i, i + AT_ONCE).map(send));
}
