import { type Funnel, type FunnelStep, funnelFacetName } from "../../funnels/funnel";
import { stepMatcher } from "../../funnels/match";
import { followedBy, type StepMap, stepsAfter, thenInstant, unchanged } from "../../funnels/step-map";
import type { Instant } from "../../instant";
import { pack, unpack } from "../codec";
import type { QuarterFacts } from "../quarter-facts";
import { packSet, unpackMembers, visitorSet } from "../visitor-set";
import type { Facet } from "./facet";

/**
 * What a bucket does to the visitors of a funnel: for each map that anybody has, who has it, ascending. Whom it leaves as
 * they were is in none, everybody else in one (architecture: "Funnels merge too").
 */
export type FunnelCube = ReadonlyMap<StepMap, Uint32Array>;

/** The facet of one revision of a site's saved funnel. Merging is composition: cubes must come in the order of time. */
export const funnelFacet = (funnel: Pick<Funnel, "id" | "revision" | "steps">): Facet<FunnelCube> => {
  const steps = funnel.steps.length;
  return {
    name: funnelFacetName(funnel),
    isAdded: true,
    fold: (facts) => fold(facts, funnel),
    merge: (cubes) => compose(cubes, steps),
    // Nothing here grows with what strangers send but the visitors themselves: maps are few by their nature.
    bound: (cube) => cube,

    encode(cube) {
      const entries = [...cube].sort(([a], [b]) => a - b);
      return pack({
        v: 1,
        maps: entries.map(([map]) => map),
        visitors: entries.map(([, visitors]) => packSet(visitorSet(visitors))),
      });
    },

    decode(bytes) {
      const { maps, visitors } = unpack(bytes) as { maps: StepMap[]; visitors: Uint8Array[] };
      return new Map(maps.map((map, i) => [map, unpackMembers(visitors[i] ?? new Uint8Array())]));
    },
  };
};

/**
 * How many visitors have done at least 1, 2, ... `steps` steps in the time of these cubes, given in its order: what they
 * do, one after the other, to visitors who have done nothing.
 */
export function reached(cubes: readonly FunnelCube[], steps: number): number[] {
  const done = new Uint8Array(numbersOf(cubes).to);
  for (const cube of cubes) {
    for (const [map, visitors] of cube) {
      const after = Uint8Array.from({ length: steps + 1 }, (_, before) => stepsAfter(map, before, steps));
      for (const visitor of visitors) done[visitor] = after[done[visitor] ?? 0] ?? 0;
    }
  }
  const withExactly = new Array<number>(steps + 1).fill(0);
  for (const count of done) withExactly[count] = (withExactly[count] ?? 0) + 1;
  return withExactly.map((_, step) => withExactly.slice(step).reduce((a, b) => a + b, 0)).slice(1);
}

/** Something that does steps of the funnel, in bits. */
interface Moment {
  readonly visitor: number | null;
  readonly at: Instant;
  readonly does: number;
}

/**
 * A conversion without a visitor is part of nobody's journey, but there is a cube all the same: a later version of it may
 * have a visitor, or have lost one, and then its cube must take the place of this one.
 */
function fold(facts: QuarterFacts, { steps }: Pick<Funnel, "steps">): FunnelCube | null {
  const all = momentsOf(facts, steps);
  if (all.length === 0) return null;
  const moments = all
    .filter((moment): moment is Moment & { visitor: number } => moment.visitor !== null)
    .sort((a, b) => a.visitor - b.visitor || a.at - b.at);
  const maps = new Map<StepMap, number[]>();
  for (const [visitor, its] of Map.groupBy(moments, (moment) => moment.visitor)) {
    const map = mapOf(its, steps.length);
    const visitors = maps.get(map);
    if (visitors) visitors.push(visitor);
    else maps.set(map, [visitor]);
  }
  return new Map([...maps].map(([map, visitors]) => [map, Uint32Array.from(visitors)]));
}

function momentsOf({ pageviews, conversions }: QuarterFacts, steps: readonly FunnelStep[]): Moment[] {
  const { byPage, byEvent } = stepMatcher(steps);
  const moments: Moment[] = [];
  const add = (visitor: number | null, at: Instant, does: number) =>
    does && moments.push({ visitor, at, does });
  for (const { visitor, at, path } of pageviews) add(visitor, at, byPage(path));
  for (const conversion of conversions) add(conversion.visitor, conversion.at, byEvent(conversion));
  return moments;
}

/** Of one visitor's moments, in the order of time. */
function mapOf(moments: readonly Moment[], steps: number): StepMap {
  let map = unchanged(steps);
  for (const atOnce of Map.groupBy(moments, ({ at }) => at).values()) {
    const does = atOnce.reduce((all, moment) => all | moment.does, 0);
    map = thenInstant(map, does, steps);
  }
  return map;
}

/**
 * The cube of all these cubes' time. It keeps which map each visitor has by now in two bytes by visitor number, and works
 * out the composition of any two maps once: a million visitors are a million look-ups, and no objects.
 */
function compose(cubes: readonly FunnelCube[], steps: number): FunnelCube {
  const [first, ...later] = cubes.filter((cube) => cube.size > 0);
  if (!first || later.length === 0) return first ?? new Map();
  const { from, to } = numbersOf(cubes);
  const maps = new MapTable(steps);
  const has = new Uint16Array(to - from);
  for (const cube of [first, ...later]) {
    for (const [map, visitors] of cube) {
      const followed: number[] = [];
      for (const visitor of visitors) {
        const before = has[visitor - from] ?? 0;
        followed[before] ??= maps.followed(before, map);
        has[visitor - from] = followed[before];
      }
    }
  }
  return byMap(maps, has, from);
}

/** Maps by index in the order they turned up. 0 is the unchanged one, to which no others compose. */
class MapTable {
  private readonly maps: StepMap[] = [];
  private readonly indices = new Map<StepMap, number>();
  constructor(private readonly steps: number) {
    this.indexOf(unchanged(steps));
  }
  get size(): number {
    return this.maps.length;
  }
  at(index: number): StepMap {
    return this.maps[index] ?? unchanged(this.steps);
  }
  /** Index of the map at `index` followed by `second`. */
  followed(index: number, second: StepMap): number {
    return this.indexOf(followedBy(this.at(index), second, this.steps));
  }
  private indexOf(map: StepMap): number {
    const known = this.indices.get(map);
    if (known !== undefined) return known;
    this.indices.set(map, this.maps.length);
    return this.maps.push(map) - 1;
  }
}

/** Turns "which map by visitor" into "which visitors by map". */
function byMap(maps: MapTable, has: Uint16Array, from: number): FunnelCube {
  const sizes = new Uint32Array(maps.size);
  for (const index of has) sizes[index] = (sizes[index] ?? 0) + 1;
  const visitors = Array.from(sizes, (size, index) => new Uint32Array(index === 0 ? 0 : size));
  const filled = new Uint32Array(maps.size);
  has.forEach((index, offset) => {
    if (index === 0) return;
    const place = filled[index] ?? 0;
    (visitors[index] as Uint32Array)[place] = from + offset;
    filled[index] = place + 1;
  });
  return new Map(
    visitors.flatMap((some, index): [StepMap, Uint32Array][] =>
      some.length ? [[maps.at(index), some]] : [],
    ),
  );
}

/** From the lowest visitor number in the cubes to the first above the highest. */
function numbersOf(cubes: readonly FunnelCube[]): { from: number; to: number } {
  const sets = cubes.flatMap((cube) => [...cube.values()]).filter((set) => set.length > 0);
  return {
    from: sets.reduce((lowest, set) => Math.min(lowest, set[0] ?? lowest), Number.MAX_SAFE_INTEGER),
    to: sets.reduce((highest, set) => Math.max(highest, (set.at(-1) ?? 0) + 1), 0),
  };
}
