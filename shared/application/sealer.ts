import { type Bucket, bucketAt, bucketEnd, bucketId, type Level, parentOf } from "../domain/analytics/bucket";
import type { Facet } from "../domain/analytics/facets/facet";
import { dedupe } from "../domain/analytics/quarter-facts";
import { isSealable } from "../domain/analytics/sealing";
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
/** A transaction holds 100 items and 4 MB, keys and markers included. */
const MAX_TRANSACTION_ITEMS = 98;
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
          return cube === null ? [] : [encoded(facet, cube)];
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
        return [encoded(facet, facet.merge(children.map(({ bytes }) => facet.decode(bytes))))];
      }),
    );
    return { bucket, nonce, cubes: merged.flat() };
  }

  /**
   * Seals buckets together; where that fails, in halves, so that one that has changed or cannot be sealed holds up
   * none of the others.
   */
  async function sealTogether(
    site: number,
    marked: readonly Marker[],
    summarise: (some: readonly Marker[]) => Promise<SealedBucket[]>,
  ): Promise<Outcome> {
    try {
      const sealed = await summarise(marked);
      const isSealed = fits(sealed) && (await cubes.seal(site, sealed, clock()));
      if (isSealed) return { sealed: marked.length, failures: [] };
      if (marked.length === 1) return NOTHING;
    } catch (error) {
      const [only, ...others] = marked;
      if (only && others.length === 0) return { sealed: 0, failures: [{ bucket: only.bucket, error }] };
    }
    const half = Math.ceil(marked.length / 2);
    return sum([
      await sealTogether(site, marked.slice(0, half), summarise),
      await sealTogether(site, marked.slice(half), summarise),
    ]);
  }

  const isReady = ({ bucket, settlesAt }: Marker): boolean =>
    isSealable(bucket, clock()) && clock() >= settlesAt;

  async function sealQuarters(site: number, wanted: ReadonlySet<string>): Promise<Outcome> {
    const due = (await markers.list(site)).filter(
      (marker) => marker.bucket.level === "quarter" && wanted.has(bucketId(marker.bucket)) && isReady(marker),
    );
    const outcomes: Outcome[] = [];
    for (const group of byDay(due)) {
      outcomes.push(await sealTogether(site, group, (some) => foldQuarters(site, some)));
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
        await sealTogether(site, [marker], async () => [await mergeChildren(site, marker, children)]),
      );
    }
    return sum(outcomes);
  }

  return {
    async seal(site, buckets) {
      const wanted = new Set(buckets.map(bucketId));
      const has = (level: Level) => buckets.some((bucket) => bucket.level === level);
      const { sealed, failures } = sum([
        has("quarter") ? await sealQuarters(site, wanted) : NOTHING,
        has("day") ? await sealParents(site, wanted, "day") : NOTHING,
        has("month") ? await sealParents(site, wanted, "month") : NOTHING,
      ]);
      if (failures.length > 0) throw new SealingError(failures);
      return sealed;
    },
  };
}

/** A cube as it is stored: bounded, its head told from its body where it has one. */
function encoded(facet: Facet<unknown>, cube: unknown): SealedBucket["cubes"][number] {
  const bytes = facet.encode(facet.bound(cube));
  return { facet: facet.name, bytes, head: facet.headOf?.(bytes) };
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

/** Whether a transaction takes them all; a single bucket it takes always (large cubes leave their heads). */
function fits(sealed: readonly SealedBucket[]): boolean {
  const all = sealed.flatMap(({ cubes }) => cubes);
  const bytes = all.reduce((total, cube) => total + cube.bytes.length, 0);
  return (
    sealed.length === 1 ||
    (bytes < MAX_TRANSACTION_BYTES && all.length + sealed.length < MAX_TRANSACTION_ITEMS)
  );
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
