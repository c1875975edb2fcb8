import { type Bucket, bucketId, type Level, parseBucketId } from "../../domain/analytics/bucket";
import type { ConversionFact } from "../../domain/analytics/fact";
import type { Instant } from "../../domain/instant";
import { DAY } from "../../domain/instant";

/**
 * Keys of the Facts table.
 *
 * | pk               | sk                              | item                                                   |
 * |------------------|---------------------------------|--------------------------------------------------------|
 * | F#site#day       | HH:MM#B#block                   | a block of traffic facts of that quarter               |
 * | F#site#day       | HH:MM#C#event#version           | a conversion                                           |
 * | M#site           | level's rank, bucket id         | a marker: the bucket's cube is not to be trusted       |
 * | M#site           | 4, facet                        | how far the cubes of a facet of this site are built    |
 * | I#site           | day                             | that day has facts (written before the first of them)  |
 *
 * A site's day is one partition: hundreds of page views share a block, so a day's writes stay far below what a
 * partition takes, and a run of quarters is one query. Markers sort quarters before days before months: the order in
 * which a list of them must be read (see the port).
 */
const isoDay = (at: Instant): string => new Date(at).toISOString().slice(0, 10);
const clock = (quarter: Instant): string => new Date(quarter).toISOString().slice(11, 16);

const factPk = (site: number, at: Instant): string => `F#${site}#${isoDay(at)}`;

export const blockKey = (site: number, quarter: Instant, block: string) => ({
  pk: factPk(site, quarter),
  sk: `${clock(quarter)}#B#${block}`,
});

export const conversionKey = (
  site: number,
  quarter: Instant,
  fact: Pick<ConversionFact, "id" | "version">,
) => ({
  pk: factPk(site, quarter),
  sk: `${clock(quarter)}#C#${fact.id}#${String(fact.version).padStart(6, "0")}`,
});

/** The facts of the quarters from `from` up to but without `to`, all of one UTC day. `;` is the character after `:`. */
export const factRange = (site: number, from: Instant, to: Instant) => ({
  pk: factPk(site, from),
  from: clock(from),
  to: to % DAY === 0 ? "~" : clock(to),
});

/** The quarter a fact's sort key names. */
export const quarterOfFactKey = (pk: string, sk: string): Instant =>
  Date.parse(`${pk.slice(pk.lastIndexOf("#") + 1)}T${sk.slice(0, 5)}:00Z`);

const markerPk = (site: number): string => `M#${site}`;
const RANK: Record<Level, number> = { quarter: 1, day: 2, month: 3 };

export const markerKey = (site: number, bucket: Bucket) => ({
  pk: markerPk(site),
  sk: `${RANK[bucket.level]}${bucketId(bucket)}`,
});
export const markerPartition = markerPk;
export const markerOf = (key: { pk: string; sk: string }): { site: number; bucket: Bucket } => ({
  site: Number(key.pk.slice(2)),
  bucket: parseBucketId(key.sk.slice(1)),
});

export const dayIndexPartition = (site: number): string => `I#${site}`;
export const dayIndexKey = (site: number, at: Instant) => ({
  pk: dayIndexPartition(site),
  sk: isoDay(at),
});
export const dayOfIndexKey = (key: { sk: string }): Instant => Date.parse(`${key.sk}T00:00:00Z`);

const BUILD_RANK = "4";
export const facetBuildKey = (site: number, facet: string) => ({
  pk: markerPk(site),
  sk: BUILD_RANK + facet,
});
/** The facet a build is of, or null for the key of a marker. */
export const facetOfBuildKey = ({ sk }: { sk: string }): string | null =>
  sk.startsWith(BUILD_RANK) ? sk.slice(1) : null;
export const siteOfBuildKey = ({ pk }: { pk: string }): number => Number(pk.slice(2));

const DUE_SHARDS = 8;
/** Partitions of the due index; sites spread over them. */
export const DUE_PARTITIONS: readonly string[] = Array.from(
  { length: DUE_SHARDS },
  (_, shard) => `seal#${shard}`,
);
export const duePartition = (site: number): string => `seal#${site % DUE_SHARDS}`;
export const FACET_BUILD_PARTITIONS: readonly string[] = Array.from(
  { length: DUE_SHARDS },
  (_, shard) => `build#${shard}`,
);
export const facetBuildPartition = (site: number): string => `build#${site % DUE_SHARDS}`;
