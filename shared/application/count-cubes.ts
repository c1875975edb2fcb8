import { type Bucket, bucketAt, type Level } from "../domain/analytics/bucket";
import type { Facet } from "../domain/analytics/facets/facet";
import { dedupe } from "../domain/analytics/quarter-facts";
import { DAY, type Instant } from "../domain/instant";
import type { CubeStore, FactReader } from "../ports/analytics";

interface Dependencies {
  readonly facts: FactReader;
  readonly facets: readonly Facet<unknown>[];
}

interface Counted {
  readonly facet: string;
  readonly bucket: Bucket;
  readonly bytes: Uint8Array;
}

/**
 * The cubes that the facts of these UTC days make, by themselves: nothing stored is looked at. Ask it for the days of
 * whole months at most; a month of which not every day was given is the cube of those given.
 */
export async function countCubes(
  { facts, facets }: Dependencies,
  site: number,
  days: readonly Instant[],
): Promise<Pick<CubeStore, "read">> {
  const all: Counted[] = [];
  for (const day of days) {
    const byQuarter = [...(await facts.read(site, day, day + DAY))].sort(([a], [b]) => a - b);
    const quarters = byQuarter.map(([start, some]) => ({ start, input: dedupe(some) }));
    for (const facet of facets) {
      const folded = quarters.flatMap(({ start, input }) => {
        const cube = facet.fold(input);
        return cube === null ? [] : [counted(facet, { level: "quarter", start }, cube)];
      });
      all.push(...folded, ...parent(facet, "day", folded));
    }
  }
  for (const facet of facets) {
    const its = all.filter(({ facet: name, bucket }) => name === facet.name && bucket.level === "day");
    const months = Map.groupBy(its, ({ bucket }) => bucketAt("month", bucket.start).start);
    for (const some of months.values()) all.push(...parent(facet, "month", some));
  }
  return {
    async read(_site, facet, { level, from, to }) {
      return all
        .filter((one) => one.facet === facet && one.bucket.level === level)
        .map(({ bucket, bytes }) => ({ start: bucket.start, bytes }))
        .filter(({ start }) => start >= from && start < to);
    },
  };
}

function parent(facet: Facet<unknown>, level: Level, children: readonly Counted[]): Counted[] {
  const [first] = children;
  if (!first) return [];
  const merged = facet.merge(children.map(({ bytes }) => facet.decode(bytes)));
  return [counted(facet, bucketAt(level, first.bucket.start), merged)];
}

const counted = (facet: Facet<unknown>, bucket: Bucket, cube: unknown): Counted => ({
  facet: facet.name,
  bucket,
  bytes: facet.encode(facet.bound(cube)),
});
