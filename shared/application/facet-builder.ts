import { type Bucket, bucketAt, QUARTER } from "../domain/analytics/bucket";
import { type Facet, toStore } from "../domain/analytics/facets/facet";
import { dedupe } from "../domain/analytics/quarter-facts";
import { DAY, type Instant, MINUTE } from "../domain/instant";
import type {
  CubeStore,
  EncodedCube,
  FacetBuild,
  FacetBuilds,
  FacetsOf,
  FactReader,
  MarkerReader,
} from "../ports/analytics";
import type { Clock } from "../ports/clock";
import type { Sealer } from "./sealer";

export interface FacetBuilderDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  readonly cubes: Pick<CubeStore, "read" | "add" | "drop">;
  /** Marks a closed bucket, with a new nonce. */
  readonly mark: (site: number, bucket: Bucket, now: Instant) => Promise<void>;
  readonly sealer: Sealer;
  readonly facetsOf: FacetsOf;
  readonly builds: FacetBuilds;
  readonly clock: Clock;
}

export interface FacetBuilder {
  /**
   * Builds the cubes an added facet lacks, the latest day first, or deletes those of one that the site has no longer.
   * Works until `deadline`, a day's work beyond it at most. Answers whether it is done; if not, call it again. Reads are
   * right all the while; whatever part of it happened, twice or at once with another call, it goes on from there.
   */
  build(build: FacetBuild, deadline: Instant): Promise<boolean>;
}

/** Quarters whose facts are held at once. */
const TOGETHER = 12;
/** How often a group of quarters is looked at again because it changed meanwhile. */
const ATTEMPTS = 5;
/** When another call may take over from one that is heard of no more. */
const PATIENCE = 3 * MINUTE;
/** Reads begun before the facet ended may still want its cubes. */
const DROP_AFTER = MINUTE;

/**
 * Back-fills the cubes of facets that were added to a site with sealed buckets (a saved funnel). From the moment a facet is
 * in the site's list, everything sealed has its cube. What was sealed before gets it here: missing cubes of unmarked
 * quarters are added, then the day is marked and sealed anew, which marks the month. `builtFrom` says from where on that
 * is done; readers fold the facts before it (see domain/analytics/README.md, "Added facets").
 */
export function createFacetBuilder(dependencies: FacetBuilderDependencies): FacetBuilder {
  const { markers, facts, cubes, mark, sealer, facetsOf, builds, clock } = dependencies;

  /** Adds what is missing in a run of quarters of one day. Answers whether the facet is still one of the site's. */
  async function addMissing({ site, facet: name }: FacetBuild, from: Instant, to: Instant): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      const { version, facets } = await facetsOf(site);
      const facet = facets.find((one) => one.name === name);
      if (!facet) return false;
      const missing = await missingCubes(site, facet, from, to);
      if (missing.length === 0 || (await cubes.add(site, missing, version, clock()))) return true;
      if (attempt === ATTEMPTS) throw new Error(`quarters keep changing while ${name} is built`);
    }
  }

  /** Marks are listed before the facts are read: a fact that is written later either shows or marks its quarter. */
  async function missingCubes(
    site: number,
    facet: Facet<unknown>,
    from: Instant,
    to: Instant,
  ): Promise<EncodedCube[]> {
    const marked = new Set((await markers.list(site)).map(({ bucket }) => `${bucket.level} ${bucket.start}`));
    const [byQuarter, built] = await Promise.all([
      facts.read(site, from, to),
      cubes.read(site, facet.name, { level: "quarter", from, to }),
    ]);
    const present = new Set(built.map(({ start }) => start));
    return [...byQuarter].flatMap(([start, some]) => {
      if (present.has(start) || marked.has(`quarter ${start}`)) return [];
      const cube = facet.fold(dedupe(some));
      return cube === null ? [] : [{ bucket: { level: "quarter", start }, ...toStore(facet, cube) }];
    });
  }

  /** Builds one UTC day, and the month once its earliest day is built. */
  async function buildDay(build: FacetBuild, day: Instant, isLastOfMonth: boolean): Promise<boolean> {
    const { site, facet } = build;
    for (let from = day; from < day + DAY; from += TOGETHER * QUARTER) {
      if (!(await addMissing(build, from, from + TOGETHER * QUARTER))) return false;
    }
    const quarters = await cubes.read(site, facet, { level: "quarter", from: day, to: day + DAY });
    // Only now that they are all visible, and also when an earlier attempt added them and got no further.
    if (quarters.length > 0) await mark(site, bucketAt("day", day), clock());
    await sealer.seal(site, [
      ...(quarters.length > 0 ? [bucketAt("day", day)] : []),
      ...(isLastOfMonth ? [bucketAt("month", day)] : []),
    ]);
    await builds.builtFrom(build, day, clock() + PATIENCE);
    return true;
  }

  async function drop(build: FacetBuild, changedAt: Instant): Promise<boolean> {
    if (clock() < changedAt + DROP_AFTER) {
      await builds.postpone(build, changedAt + DROP_AFTER);
      return true; // for now
    }
    await cubes.drop(build.site, build.facet);
    await builds.forget(build, changedAt);
    return true;
  }

  return {
    async build(build, deadline) {
      const { site, facet: name } = build;
      const job = await builds.find(build);
      if (job === null) return true;
      const isWanted = async () => (await facetsOf(site)).facets.some((facet) => facet.name === name);
      if (!(await isWanted())) return drop(build, job.changedAt);
      await builds.postpone(build, clock() + PATIENCE);
      const before = job.builtFrom ?? Number.POSITIVE_INFINITY;
      const days = (await facts.days(site)).filter((day) => day < before).reverse();
      for (const [i, day] of days.entries()) {
        const next = days[i + 1];
        const isLastOfMonth =
          next === undefined || bucketAt("month", next).start !== bucketAt("month", day).start;
        if (!(await buildDay(build, day, isLastOfMonth))) return false; // it ended meanwhile: its cubes are to be deleted
        if (clock() >= deadline && next !== undefined) return false;
      }
      await builds.finish(build, job.changedAt);
      return true;
    },
  };
}
