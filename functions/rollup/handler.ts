import * as z from "zod";
import type { Sealer } from "../../shared/application/sealer";
import { bucketId, parseBucketId } from "../../shared/domain/analytics/bucket";
import { log } from "../../shared/lambda/log";
import { type QueueMessage, queueFunction } from "../../shared/lambda/queue";

const messageSchema = z.object({
  site: z.int().positive(),
  buckets: z.array(z.string().transform((id) => parseBucketId(id))).min(1),
});

/** Seals the buckets each message names. A bucket that cannot be sealed yet stays marked and comes again. */
export const rollupHandler = (sealer: Sealer) =>
  queueFunction(async (messages) => {
    const failed: string[] = [];
    for (const message of messages) {
      if (!(await sealOne(sealer, message))) failed.push(message.id);
    }
    return failed;
  });

async function sealOne(sealer: Sealer, { body }: QueueMessage): Promise<boolean> {
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
    log.error("sealing failed", { site, buckets: buckets.map(bucketId), error: error as Error });
    return false;
  }
}
