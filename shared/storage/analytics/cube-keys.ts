import { type Bucket, bucketId, parseBucketId } from "../../domain/analytics/bucket";
import type { Instant } from "../../domain/instant";
import type { Run } from "../../ports/analytics";

/**
 * Keys of the Cubes table.
 *
 * | pk             | sk                          | item                                                        |
 * |----------------|-----------------------------|-------------------------------------------------------------|
 * | C#site#facet   | bucket id                   | the cube, or its head, or how many parts of which generation |
 * | P#site#facet   | bucket id#generation#number | a part of a cube too large for one item, or of a body        |
 *
 * Bucket ids of a level sort by time, so that a run of buckets is one query and meets no parts.
 */
export const headPartition = (site: number, facet: string): string => `C#${site}#${facet}`;
export const headKey = (site: number, facet: string, bucket: Bucket) => ({
  pk: headPartition(site, facet),
  sk: bucketId(bucket),
});
export const bucketOfHead = (sk: string): Bucket => parseBucketId(sk);

/** First and last bucket id of a run. */
export const headRange = ({ level, from, to }: Run) => ({
  from: bucketId({ level, start: from }),
  to: bucketId({ level, start: to - 1 }),
});

export const partPartition = (site: number, facet: string): string => `P#${site}#${facet}`;
export const partPrefix = (bucket: Bucket): string => `${bucketId(bucket)}#`;
export const partKey = (site: number, facet: string, bucket: Bucket, generation: string, part: number) => ({
  pk: partPartition(site, facet),
  sk: `${partPrefix(bucket)}${generation}#${String(part).padStart(4, "0")}`,
});

/** Generations begin with the time they were made, so that those a crash left behind can be told by age. */
export const newGeneration = (now: Instant, random: Uint8Array): string =>
  now.toString(36).padStart(9, "0") + Buffer.from(random).toString("hex");
export const generationOf = (partSk: string): string => partSk.split("#")[1] ?? "";
export const madeAt = (generation: string): Instant => Number.parseInt(generation.slice(0, 9), 36);
