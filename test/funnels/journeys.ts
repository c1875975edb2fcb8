import fc from "fast-check";
import { quarterOf } from "../../shared/domain/analytics/block";
import { QUARTER } from "../../shared/domain/analytics/bucket";
import { type FunnelCube, funnelFacet } from "../../shared/domain/analytics/facets/funnel";
import type { ConversionFact, Fact, PageviewFact } from "../../shared/domain/analytics/fact";
import { UNATTRIBUTED } from "../../shared/domain/analytics/fact";
import type { Interval } from "../../shared/domain/analytics/plan";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import type { Funnel, StepMatch } from "../../shared/domain/funnels/funnel";

export const START = Date.UTC(2026, 10, 2);

export const funnelOf = (...matches: StepMatch[]): Funnel => ({
  id: 1,
  name: "Funnel",
  revision: 1,
  steps: matches.map((match) => ({ name: JSON.stringify(match), matches: match })),
});

let ids = 0;
export const view = (visitor: number, at: number, path: string): PageviewFact => ({
  ...{ kind: "pageview", visit: `v${visitor}`, id: `p${++ids}`, visitor, at, path },
  ...{ source: "google", channel: "Organic Search", country: "DE" },
});
export const event = (
  visitor: number | null,
  at: number,
  name: string,
  more: Partial<ConversionFact> = {},
): ConversionFact => ({
  ...{ kind: "conversion", id: `evt_${++ids}`, version: 1, visitor, at, name, ...UNATTRIBUTED },
  type: name === "Lead" || name === "Schedule" || name === "Purchase" ? name : "Custom",
  ...{ value: 0, products: [], ...more },
});

/** Cubes of the quarters of these facts, in the order of time. */
export function quarterCubes(funnel: Funnel, facts: readonly Fact[]): FunnelCube[] {
  const quarters = [...Map.groupBy(facts, (fact) => quarterOf(fact).start)].sort(([a], [b]) => a - b);
  return quarters.flatMap(([, some]) => funnelFacet(funnel).fold(dedupe(some)) ?? []);
}

/**
 * How many visitors did at least each number of steps, counted the slow and obvious way: of each visitor everything they
 * did in the interval in the order of time; for each step the first that does it later than the step before was done.
 */
export function naiveFunnel(funnel: Funnel, facts: readonly Fact[], { start, end }: Interval): number[] {
  const counts = funnel.steps.map(() => 0);
  const inRange = facts.filter((fact) => fact.at >= start && fact.at < end);
  const latest = inRange.filter(
    (fact) =>
      fact.kind === "pageview" ||
      (fact.kind === "conversion" &&
        inRange.every(
          (other) => other.kind !== "conversion" || other.id !== fact.id || other.version <= fact.version,
        )),
  ) as (PageviewFact | ConversionFact)[];
  for (const visitor of new Set(latest.map((fact) => fact.visitor))) {
    if (visitor === null) continue;
    let after = Number.NEGATIVE_INFINITY;
    for (const [step, { matches }] of funnel.steps.entries()) {
      const times = latest
        .filter((fact) => fact.visitor === visitor && fact.at > after && naivelyDoes(fact, matches))
        .map((fact) => fact.at);
      if (times.length === 0) break;
      after = Math.min(...times);
      counts[step] = (counts[step] ?? 0) + 1;
    }
  }
  return counts;
}

function naivelyDoes(fact: PageviewFact | ConversionFact, match: StepMatch): boolean {
  if (fact.kind === "conversion") return "event" in match && fact.name === match.event;
  if (!("page" in match)) return false;
  const [prefix = "", star] = match.page.split("*");
  return star === undefined ? fact.path === prefix : fact.path.startsWith(prefix);
}

const PATHS = ["/", "/shop", "/shop/", "/shop/mug", "/shop/lamp", "/thanks"];
const match: fc.Arbitrary<StepMatch> = fc.oneof(
  fc.constantFrom("/", "/shop", "/shop/mug", "/thanks", "/shop*", "/shop/*", "/*").map((page) => ({ page })),
  fc.constantFrom("Lead", "Purchase", "Demo booked").map((event) => ({ event })),
);
export const someFunnel = fc
  .array(match, { minLength: 2, maxLength: 8 })
  .map((matches) => funnelOf(...matches));

/** Few visitors, few instants, on both sides of quarters' and days' ends: steps meet at one instant and across buckets. */
const instant = fc
  .tuple(fc.integer({ min: 0, max: 2 * 96 - 1 }), fc.constantFrom(0, 1, 2, QUARTER - 1))
  .map(([quarter, offset]) => START + quarter * QUARTER + offset);
const visitor = fc.constantFrom(1, 2, 3, 70_000);
const views = fc.tuple(visitor, instant, fc.constantFrom(...PATHS)).map((made) => [view(...made)]);
const names = fc.constantFrom("Lead", "Purchase", "Demo booked", "Else");
/** Some with a later version that moves them to somebody else, or to nobody. */
const events = fc
  .tuple(fc.option(visitor), instant, names, fc.option(fc.option(visitor), { nil: undefined }))
  .map(([visitor, at, name, moved]) => {
    const first = event(visitor, at, name);
    return moved === undefined ? [first] : [first, { ...first, version: 2, visitor: moved }];
  });
export const journeys: fc.Arbitrary<Fact[]> = fc
  .array(fc.oneof({ weight: 3, arbitrary: views }, { weight: 1, arbitrary: events }), { maxLength: 60 })
  .map((made) => made.flat());
