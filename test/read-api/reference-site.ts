import fc from "fast-check";
import {
  type ConversionFact,
  type Fact,
  type TrafficFact,
  UNATTRIBUTED,
  type VisitFact,
} from "../../shared/domain/analytics/fact";
import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import { someFunnel } from "../funnels/journeys";
import { addDays, firstInstantOf } from "./reference-days";

/** A day whose limits are hard to tell. */
export interface HardDay {
  readonly timezone: string;
  readonly date: string;
}

/**
 * A site around a hard day and how it came to be known: some facts by `half`, when all that can be sealed is sealed; the
 * others, late ones among them, and some for the second time, by `end`.
 */
export interface Story {
  readonly early: readonly Fact[];
  readonly late: readonly Fact[];
  readonly half: number;
  readonly end: number;
}

const origin = fc.record({
  source: fc.constantFrom("google", "facebook", "(direct)", "shop.example", "ünïcode", "__proto__"),
  channel: fc.constantFrom("Paid Search", "Organic Search", "Referral"),
});
const country = fc.constantFrom("DE", "US", "NP", "(unknown)");
const path = fc.constantFrom("/", "/shop", "/shop/", "/shop/mug", "/shop/lamp", "/thanks", "/p%00");
/** Few, so that journeys are long; one far off, so that sets are not dense. */
const visitor = fc.oneof(fc.integer({ min: 1, max: 6 }), fc.constant(70_000));

/** Often at the very limits of the days around the hard one, or near them; some weeks before, in another month. */
function instants({ timezone, date }: HardDay): fc.Arbitrary<number> {
  const limits = [-1, 0, 1, 2].map((days) => firstInstantOf(timezone, addDays(date, days)));
  const [from, to] = [Math.min(...limits), Math.max(...limits)];
  const offset = fc.constantFrom(
    ...[-HOUR, -30 * MINUTE, -15 * MINUTE, -1, 0, 1],
    ...[15 * MINUTE - 1, 15 * MINUTE, 30 * MINUTE, HOUR],
  );
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(fc.constantFrom(...limits), offset).map(([limit, offset]) => limit + offset),
    },
    { weight: 4, arbitrary: fc.integer({ min: from, max: to }) },
    { weight: 1, arbitrary: fc.integer({ min: from - 40 * DAY, max: from }) },
  );
}

const page = fc.record({
  path,
  gap: fc.oneof(fc.constantFrom(0, 1, 15 * MINUTE), fc.integer({ min: 1, max: 3 * HOUR })),
  reports: fc.array(fc.integer({ min: 0, max: 90_000 }), { maxLength: 3 }),
});

/** A visit and what follows from it. Word of its beginning may never have come. */
const visits = (at: fc.Arbitrary<number>): fc.Arbitrary<TrafficFact[]> =>
  fc
    .record({
      ...{ visit: fc.uuid(), visitor, at, origin, country },
      pages: fc.array(page, { minLength: 1, maxLength: 4 }),
      isEngaged: fc.boolean(),
      hasBegun: fc.integer({ min: 0, max: 9 }).map((dice) => dice > 0),
    })
    .map(({ visit, visitor, at, origin, country, pages, isEngaged, hasBegun }) => {
      const context = { visit, visitor, country, ...origin };
      const facts: TrafficFact[] = [];
      if (hasBegun)
        facts.push({ kind: "visit", ...context, at, path: pages[0]?.path ?? "/", isFirst: false });
      if (isEngaged) facts.push({ kind: "engagement", visit, at });
      let time = at;
      for (const [i, { path, gap, reports }] of pages.entries()) {
        if (i > 0) time += gap;
        const id = `p${i}`;
        facts.push({ kind: "pageview", ...context, at: time, id, path });
        for (const visibleMs of reports)
          facts.push({ kind: "attention", visit, at: time, id, path, visibleMs });
      }
      return facts;
    });

const line = fc.record({
  sku: fc.constantFrom("mug", "lamp", "kettle", "(other)", "constructor"),
  name: fc.constantFrom("Stone mug", "Lamp", ""),
  units: fc.integer({ min: 1, max: 5 }),
  revenue: fc.constantFrom(0, 1_990, 19_990, 20_000, 12_345),
});
/** Whole cents, thousandths of currencies that have them, the largest amount, and money given back. */
const value = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }).map((cents) => cents * 10),
  fc.constantFrom(0, 5, 1_234, 1_000_000_000_000, -19_990),
);
const credit = fc.option(fc.record({ origin, visitor: fc.option(visitor) }));

/** An event with its versions: the later ones moved it to somebody else, or to nobody. */
const conversions = (at: fc.Arbitrary<number>): fc.Arbitrary<ConversionFact[]> =>
  fc
    .record({
      ...{ id: fc.uuid(), at, value },
      type: fc.constantFrom<ConversionFact["type"]>("Lead", "Schedule", "Purchase", "Purchase", "Custom"),
      products: fc.array(line, { maxLength: 3 }),
      credits: fc.array(credit, { minLength: 1, maxLength: 3 }),
    })
    .map(({ id, at, value, type, products, credits }) =>
      credits.map((credit, i) => ({
        ...({ kind: "conversion", id: `evt_${id}`, at, version: i + 1 } as const),
        ...{ type, name: type === "Custom" ? "Demo booked" : type },
        ...{ value, products: type === "Purchase" ? products : [] },
        ...(credit?.origin ?? UNATTRIBUTED),
        visitor: credit?.visitor ?? null,
      })),
    );

/** Of each visitor the earliest visit, and no other, is the first ever. */
function withFirstVisits(facts: readonly TrafficFact[]): TrafficFact[] {
  const firsts = new Map<number, VisitFact>();
  for (const fact of facts) {
    if (fact.kind !== "visit") continue;
    const known = firsts.get(fact.visitor);
    if (!known || fact.at < known.at) firsts.set(fact.visitor, fact);
  }
  return facts.map((fact) =>
    fact.kind === "visit" && firsts.get(fact.visitor) === fact ? { ...fact, isFirst: true } : fact,
  );
}

/** Any fact may be late, whatever else of its visit or event is not. */
export function stories(day: HardDay): fc.Arbitrary<Story> {
  const at = instants(day);
  const over = firstInstantOf(day.timezone, addDays(day.date, 2)) + DAY;
  const facts = fc
    .tuple(
      fc.array(visits(at), { minLength: 5, maxLength: 16 }).map((some) => withFirstVisits(some.flat())),
      fc.array(conversions(at), { minLength: 3, maxLength: 8 }),
    )
    .map(([traffic, events]): Fact[] => [...traffic, ...events.flat()]);
  return facts.chain((facts) =>
    fc
      .record({
        dice: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: facts.length, maxLength: facts.length }),
        half: fc.integer({ min: over - 5 * DAY, max: over }),
        patience: fc.oneof(fc.integer({ min: 0, max: DAY }), fc.integer({ min: 0, max: 50 * DAY })),
      })
      .map(({ dice, half, patience }) => {
        const isEarly = (fact: Fact, i: number) => fact.at <= half && (dice[i] ?? 0) < 6;
        const again = facts.filter((_, i) => dice[i] === 0);
        return {
          ...{ half, end: over + patience },
          early: facts.filter(isEarly),
          late: [...facts.filter((fact, i) => !isEarly(fact, i)), ...again],
        };
      }),
  );
}

/** Funnels, and how each came to be saved. */
export const savedFunnels = fc.array(
  fc.record({
    funnel: someFunnel,
    /** Before anything was recorded, or once some of it was sealed. */
    isLate: fc.boolean(),
    /** Whether the cubes that a late one lacks have been built. */
    isBuilt: fc.boolean(),
  }),
  { maxLength: 3 },
);
