import { type Bucket, bucketAt, bucketEnd, bucketId, type Level, parentOf } from "../domain/analytics/bucket";
import type { Facet } from "../domain/analytics/facets/facet";
import { dedupe } from "../domain/analytics/quarter-facts";
import { isSealable } from "../domain/analytics/sealing";
import type { Instant } from "../domain/instant";
import type { CubeStore, FactReader, Marker, MarkerReader, SealedBucket } from "../ports/analytics";
import type { Clock } from "../ports/clock";

export interface SealerDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  readonly cubes: CubeStore;
  readonly facets: readonly Facet<unknown>[];
  readonly clock: Clock;
}

export interface Sealer {
  /**
   * Seals those of the buckets that are marked, over, and have no marked bucket below them: quarters from their facts,
   * days from quarters, months from days. What changed meanwhile stays marked, to be sealed another time.
   * Answers how many were sealed.
   */
  seal(site: number, buckets: readonly Bucket[]): Promise<number>;
}

/** Buckets sealed in one transaction (100 items at most: six facets and a marker each, and their parents). */
const TOGETHER = 12;
/** A transaction holds 4 MB, keys and markers included. */
const MAX_TRANSACTION_BYTES = 3_000_000;

/** The sealing half of the marker protocol (architecture: "Marker protocol"). */
export function createSealer({ markers, facts, cubes, facets, clock }: SealerDependencies): Sealer {
  async function foldQuarters(site: number, quarters: readonly Marker[]): Promise<SealedBucket[]> {
    const first = quarters[0]?.bucket.start ?? 0;
    const last = quarters.at(-1)?.bucket ?? { level: "quarter", start: first };
    const byQuarter = await facts.read(site, first, bucketEnd(last));
    return quarters.map(({ bucket, nonce }) => {
      const input = dedupe(byQuarter.get(bucket.start) ?? []);
      return {
        bucket,
        nonce,
        cubes: facets.flatMap((facet) => {
          const cube = facet.fold(input);
          return cube === null ? [] : [{ facet: facet.name, bytes: facet.encode(facet.bound(cube)) }];
        }),
      };
    });
  }

  async function mergeChildren(site: number, { bucket, nonce }: Marker, level: Level): Promise<SealedBucket> {
    const run = { level, from: bucket.start, to: bucketEnd(bucket) };
    const merged = await Promise.all(
      facets.map(async (facet) => {
        const children = await cubes.read(site, facet.name, run);
        if (children.length === 0) return [];
        const cube = facet.bound(facet.merge(children.map(({ bytes }) => facet.decode(bytes))));
        return [{ facet: facet.name, bytes: facet.encode(cube) }];
      }),
    );
    return { bucket, nonce, cubes: merged.flat() };
  }

  /** Seals together what fits a transaction; when one of several has changed, in halves, so that it holds up few others. */
  async function commit(site: number, sealed: readonly SealedBucket[]): Promise<number> {
    if (sealed.length === 0) return 0;
    const fits = sealed.length === 1 || totalBytes(sealed) < MAX_TRANSACTION_BYTES;
    if (fits && (await cubes.seal(site, sealed, clock()))) return sealed.length;
    if (sealed.length === 1) return 0;
    const half = Math.ceil(sealed.length / 2);
    return (await commit(site, sealed.slice(0, half))) + (await commit(site, sealed.slice(half)));
  }

  async function sealQuarters(site: number, wanted: ReadonlySet<string>): Promise<number> {
    const due = (await markers.list(site)).filter(
      ({ bucket }) =>
        bucket.level === "quarter" && wanted.has(bucketId(bucket)) && isSealable(bucket, clock()),
    );
    let count = 0;
    for (const group of byDay(due)) count += await commit(site, await foldQuarters(site, group));
    return count;
  }

  async function sealParents(
    site: number,
    wanted: ReadonlySet<string>,
    level: "day" | "month",
  ): Promise<number> {
    const marked = await markers.list(site);
    const covered = new Set(marked.flatMap(({ bucket }) => ancestors(bucket).map(bucketId)));
    const due = marked.filter(
      ({ bucket }) =>
        bucket.level === level &&
        wanted.has(bucketId(bucket)) &&
        !covered.has(bucketId(bucket)) &&
        isSealable(bucket, clock()),
    );
    let count = 0;
    for (const marker of due) {
      count += await commit(site, [await mergeChildren(site, marker, level === "day" ? "quarter" : "day")]);
    }
    return count;
  }

  return {
    async seal(site, buckets) {
      const wanted = new Set(buckets.map(bucketId));
      const has = (level: Level) => buckets.some((bucket) => bucket.level === level);
      let count = 0;
      if (has("quarter")) count += await sealQuarters(site, wanted);
      if (has("day")) count += await sealParents(site, wanted, "day");
      if (has("month")) count += await sealParents(site, wanted, "month");
      return count;
    },
  };
}

const totalBytes = (sealed: readonly SealedBucket[]): number =>
  sealed.flatMap(({ cubes }) => cubes).reduce((sum, { bytes }) => sum + bytes.length, 0);

/** Groups of markers of one day, few enough for a transaction, ascending. */
function byDay(quarters: readonly Marker[]): Marker[][] {
  const sorted = [...quarters].sort((a, b) => a.bucket.start - b.bucket.start);
  const groups: Marker[][] = [];
  let day: Instant | undefined;
  for (const marker of sorted) {
    const its = bucketAt("day", marker.bucket.start).start;
    const last = groups.at(-1);
    if (last && its === day && last.length < TOGETHER) last.push(marker);
    else groups.push([marker]);
    day = its;
  }
  return groups;
}

/** The buckets above this one, nearest first. */
function ancestors(bucket: Bucket): Bucket[] {
  const parent = parentOf(bucket);
  return parent ? [parent, ...ancestors(parent)] : [];
}
