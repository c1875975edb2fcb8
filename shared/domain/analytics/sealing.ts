import type { Instant } from "../instant";
import { MINUTE } from "../instant";
import { type Bucket, bucketEnd } from "./bucket";

/** Most facts come while their quarter lasts or right after. Until this long after its end a quarter is open to writers. */
const WRITE_GRACE = 2 * MINUTE;

/**
 * A bucket is sealed this long after its end, by the sealer's clock. What lies between is longer than a write can take
 * that began while the quarter was open by the writer's clock: the slowest function has 60 s, which leaves 2 minutes for
 * clocks to differ. So whoever has marked an open quarter before writing need not mark it again.
 */
const SEAL_GRACE = 5 * MINUTE;

/**
 * A mark set in the same transaction as its fact may be seen before the fact is: a transaction is atomic for those who
 * write, not for those who query. No sealer acts on such a mark until the transaction must be over, whoever's clock it is.
 */
const TRANSACTION_SETTLES = 2 * MINUTE;

/** A bucket that was over when it changed is sealed this much later, so that a trickle of late facts costs one sealing. */
const LATE_DELAY = 10 * MINUTE;

/** Whether a writer at `now` may count on the bucket not being sealed before it is done. */
export const isOpen = (bucket: Bucket, now: Instant): boolean => now < bucketEnd(bucket) + WRITE_GRACE;

/** Until when a mark set at `now` in a transaction keeps the bucket from being sealed. */
export const settledAt = (now: Instant): Instant => now + TRANSACTION_SETTLES;

/** When a bucket marked at `now` falls due for sealing. */
export const sealDueAt = (bucket: Bucket, now: Instant): Instant =>
  isOpen(bucket, now) ? bucketEnd(bucket) + SEAL_GRACE : now + LATE_DELAY;

/** Whether a sealer at `now` may seal the bucket, whatever the marker's due time says. */
export const isSealable = (bucket: Bucket, now: Instant): boolean => now >= bucketEnd(bucket) + SEAL_GRACE;
