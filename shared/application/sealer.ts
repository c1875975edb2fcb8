import { type Bucket, bucketAt, bucketEnd, bucketId, type Level, parentOf } from "../domain/analytics/bucket";
import { toStore } from "../domain/analytics/facets/facet";
import { dedupe } from "../domain/analytics/quarter-facts";
import { isSealable } from "../domain/analytics/sealing";
import type {
  CubeStore,
  FacetsOf,
  FactReader,
  Marker,
  MarkerReader,
  SealedBucket,
  SiteFacets,
} from "../ports/analytics";
import type { Clock } from "../ports/clock";

export interface SealerDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  readonly cubes: CubeStore;
  readonly facetsOf: FacetsOf;
  readonly clock: Clock;
}

export interface Sealer {
  /**
   * Seals those of the buckets that are marked, over, and have no marked bucket below them: quarters from their facts,
   * days from quarters, months from days. What changed meanwhile stays marked, to be sealed another time.
   * Answers how many were sealed. Throws a {@link SealingError} once everything that can be sealed is.
   */
  seal(site: number, buckets: readonly Bucket[]): Promise<number>;
}

/** Some buckets could not be sealed. They stay marked, and everything above them is read from what lies below. */
export class SealingError extends Error {
  override readonly name = "SealingError";
  constructor(readonly failures: readonly Failure[]) {
    super(`${failures.length} buckets could not be sealed`, { cause: failures[0]?.error });
  }
}

interface Failure {
  readonly bucket: Bucket;
  readonly error: unknown;
}

/** Quarters folded at once. */
const TOGETHER = 12;
/** A transaction holds 100 items and 4 MB, keys and markers included; parent and facets' version are two of them. */
const MAX_TRANSACTION_ITEMS = 97;
const MAX_TRANSACTION_BYTES = 3_000_000;

/** The sealing half of the marker protocol (architecture: "Marker protocol"). */
export function createSealer({ markers, facts, cubes, facetsOf, clock }: SealerDependencies): Sealer {
  async function foldQuarters(
    site: number,
    { facets }: SiteFacets,
    quarters: readonly Marker[],
  ): Promise<SealedBucket[]> {
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
          return cube === null ? [] : [toStore(facet, cube)];
        }),
      };
    });
  }

  async function mergeChildren(
    site: number,
    { facets }: SiteFacets,
    { bucket, nonce }: Marker,
    level: Level,
  ): Promise<SealedBucket> {
    const run = { level, from: bucket.start, to: bucketEnd(bucket) };
    const merged = await Promise.all(
      facets.map(async (facet) => {
        const children = await cubes.read(site, facet.name, run);
        if (children.length === 0) return [];
        return [toStore(facet, facet.merge(children.map(({ bytes }) => facet.decode(bytes))))];
      }),
    );
    return { bucket, nonce, cubes: merged.flat() };
  }

  /**
   * Seals buckets together, as many as a transaction takes. Those that fail together are tried in halves, so that one
   * that has changed or cannot be sealed holds up none of the others.
   */
  async function sealTogether(
    site: number,
    { version }: SiteFacets,
    marked: readonly Marker[],
    summarise: (some: readonly Marker[]) => Promise<SealedBucket[]>,
  ): Promise<Outcome> {
    const attempt = async (some: readonly Marker[]): Promise<Outcome> => {
      const outcomes: Outcome[] = [];
      try {
        for (const run of transactions(await summarise(some))) {
          const isSealed = await cubes.seal(site, run, version, clock());
          const again = some.filter((marker) => run.some(({ nonce }) => nonce === marker.nonce));
          if (isSealed) outcomes.push({ sealed: run.length, failures: [] });
          else if (run.length > 1) outcomes.push(await inHalves(again));
        }
        return sum(outcomes);
      } catch (error) {
        const done = sum(outcomes);
        const [only, ...others] = some;
        if (only && others.length === 0) return { sealed: 0, failures: [{ bucket: only.bucket, error }] };
        return sum([done, await inHalves(some)]);
      }
    };
    const inHalves = async (some: readonly Marker[]): Promise<Outcome> => {
      const half = Math.ceil(some.length / 2);
      return sum([await attempt(some.slice(0, half)), await attempt(some.slice(half))]);
    };
    return attempt(marked);
  }

  const isReady = ({ bucket, settlesAt }: Marker): boolean =>
    isSealable(bucket, clock()) && clock() >= settlesAt;

  async function sealQuarters(
    site: number,
    wanted: ReadonlySet<string>,
    siteFacets: SiteFacets,
  ): Promise<Outcome> {
    const due = (await markers.list(site)).filter(
      (marker) => marker.bucket.level === "quarter" && wanted.has(bucketId(marker.bucket)) && isReady(marker),
    );
    const outcomes: Outcome[] = [];
    for (const group of byDay(due)) {
      outcomes.push(
        await sealTogether(site, siteFacets, group, (some) => foldQuarters(site, siteFacets, some)),
      );
    }
    return sum(outcomes);
  }

  /**
   * The marker's nonce is read before what is marked below it: a list is no snapshot, and a child sealed between the
   * two must be either still marked or visible in full.
   */
  async function sealParents(
    site: number,
    wanted: ReadonlySet<string>,
    siteFacets: SiteFacets,
    level: "day" | "month",
  ): Promise<Outcome> {
    const own = (await markers.list(site)).filter(
      (marker) => marker.bucket.level === level && wanted.has(bucketId(marker.bucket)) && isReady(marker),
    );
    if (own.length === 0) return NOTHING;
    const below = (await markers.list(site)).flatMap(({ bucket }) => ancestors(bucket).map(bucketId));
    const covered = new Set(below);
    const outcomes: Outcome[] = [];
    for (const marker of own.filter(({ bucket }) => !covered.has(bucketId(bucket)))) {
      const children = level === "day" ? "quarter" : "day";
      outcomes.push(
        await sealTogether(site, siteFacets, [marker], async () => [
          await mergeChildren(site, siteFacets, marker, children),
        ]),
      );
    }
    return sum(outcomes);
  }

  return {
    async seal(site, buckets) {
      const wanted = new Set(buckets.map(bucketId));
      const siteFacets = await facetsOf(site);
      const has = (level: Level) => buckets.some((bucket) => bucket.level === level);
      const { sealed, failures } = sum([
        has("quarter") ? await sealQuarters(site, wanted, siteFacets) : NOTHING,
        has("day") ? await sealParents(site, wanted, siteFacets, "day") : NOTHING,
        has("month") ? await sealParents(site, wanted, siteFacets, "month") : NOTHING,
      ]);
      if (failures.length > 0) throw new SealingError(failures);
      return sealed;
    },
  };
}

interface Outcome {
  readonly sealed: number;
  readonly failures: readonly Failure[];
}

const NOTHING: Outcome = { sealed: 0, failures: [] };

const sum = (outcomes: readonly Outcome[]): Outcome => ({
  sealed: outcomes.reduce((total, { sealed }) => total + sealed, 0),
  failures: outcomes.flatMap(({ failures }) => failures),
});

/** The buckets in runs that a transaction takes; a single one it takes always (large cubes leave their heads). */
function transactions(sealed: readonly SealedBucket[]): SealedBucket[][] {
  const runs: SealedBucket[][] = [];
  let [bytes, items] = [0, 0];
  for (const bucket of sealed) {
    const size = bucket.cubes.reduce((total, cube) => total + cube.bytes.length, 0);
    const count = bucket.cubes.length + 1;
    const run = runs.at(-1);
    if (run && bytes + size < MAX_TRANSACTION_BYTES && items + count < MAX_TRANSACTION_ITEMS) {
      run.push(bucket);
      [bytes, items] = [bytes + size, items + count];
    } else {
      runs.push([bucket]);
      [bytes, items] = [size, count];
    }
  }
  return runs;
}

/** Groups of markers of one day, few enough to be folded at once, ascending. */
function byDay(quarters: readonly Marker[]): Marker[][] {
  const sorted = [...quarters].sort((a, b) => a.bucket.start - b.bucket.start);
  const days = Map.groupBy(sorted, ({ bucket }) => bucketAt("day", bucket.start).start);
  return [...days.values()].flatMap((day) =>
    Array.from({ length: Math.ceil(day.length / TOGETHER) }, (_, i) =>
      day.slice(i * TOGETHER, (i + 1) * TOGETHER),
    ),
  );
}

/** The buckets above this one, nearest first. */
function ancestors(bucket: Bucket): Bucket[] {
  const parent = parentOf(bucket);
  return parent ? [parent, ...ancestors(parent)] : [];
}
