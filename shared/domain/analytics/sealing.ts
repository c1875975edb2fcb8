import type { Instant } from "../instant";
import { MINUTE } from "../instant";
import { type Bucket, bucketEnd } from "./bucket";

/**
 * A quarter is sealed only once it has been over for longer than any writer can run (the slowest, the traffic writer,
 * has 60 s) and clocks can differ. Until then a writer that has marked it once need not mark it again.
 */
const SEAL_GRACE = 5 * MINUTE;

/** A bucket that was over when it changed is sealed this much later, so that a trickle of late facts costs one sealing. */
const LATE_DELAY = 10 * MINUTE;

/** Whether a writer at `now` may count on the bucket not being sealed before it is done. */
export const isOpen = (bucket: Bucket, now: Instant): boolean => now < bucketEnd(bucket);

/** When a bucket marked at `now` falls due for sealing. */
export const sealDueAt = (bucket: Bucket, now: Instant): Instant =>
  isOpen(bucket, now) ? bucketEnd(bucket) + SEAL_GRACE : now + LATE_DELAY;

/** Whether the bucket may be sealed at `now`, whatever the marker's due time says. */
export const isSealable = (bucket: Bucket, now: Instant): boolean => now >= bucketEnd(bucket) + SEAL_GRACE;
