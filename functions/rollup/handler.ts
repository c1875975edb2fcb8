import * as z from "zod";
import { type Sealer, SealingError } from "../../shared/application/sealer";
import { bucketId, parseBucketId } from "../../shared/domain/analytics/bucket";
import { HOUR } from "../../shared/domain/instant";
import { log } from "../../shared/lambda/log";
import { type QueueMessage, queueFunction } from "../../shared/lambda/queue";
import type { SealingSchedule } from "../../shared/ports/analytics";
import type { Clock } from "../../shared/ports/clock";

const messageSchema = z.object({
  site: z.int().positive(),
  buckets: z.array(z.string().transform((id) => parseBucketId(id))).min(1),
});

export interface RollupDependencies {
  readonly sealer: Sealer;
  readonly schedule: Pick<SealingSchedule, "postpone">;
  readonly clock: Clock;
}

/** About as long as the queue tries a message before it gives up, which is an alarm. */
const POSTPONED = HOUR;

/**
 * Seals the buckets each message names. A bucket that cannot be sealed yet stays marked and comes again. One that fails
 * is put off, so that the sweeper does not send it again every minute, and left to the queue to retry and to report.
 */
export const rollupHandler = (dependencies: RollupDependencies) =>
  queueFunction(async (messages) => {
    const failed: string[] = [];
    for (const message of messages) {
      if (!(await sealOne(dependencies, message))) failed.push(message.id);
    }
    return failed;
  });

async function sealOne(
  { sealer, schedule, clock }: RollupDependencies,
  { body }: QueueMessage,
): Promise<boolean> {
  const parsed = messageSchema.safeParse(body);
  if (!parsed.success) {
    log.error("dropped a roll-up message that is not of our form");
    return true;
  }
  const { site, buckets } = parsed.data;
  try {
    const sealed = await sealer.seal(site, buckets);
    log.info("sealed", { site, sealed, asked: buckets.length });
    return true;
  } catch (error) {
    const failed = error instanceof SealingError ? error.failures.map(({ bucket }) => bucket) : buckets;
    log.error("sealing failed", { site, buckets: failed.map(bucketId), error: error as Error });
    await Promise.all(failed.map((bucket) => schedule.postpone(site, bucket, clock() + POSTPONED)));
    return false;
  }
}
