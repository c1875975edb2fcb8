import fc from "fast-check";
import { QUARTER } from "../../shared/domain/analytics/bucket";
import type { ConversionFact, Fact, TrafficFact, VisitFact } from "../../shared/domain/analytics/fact";
import { UNATTRIBUTED } from "../../shared/domain/analytics/fact";

const ORIGINS = [
  { source: "google", channel: "Paid Search" },
  { source: "google", channel: "Organic Search" },
  { source: "facebook", channel: "Paid Social" },
  { source: "(direct)", channel: "Direct" },
];
const origin = fc.constantFrom(...ORIGINS);
const path = fc.oneof(fc.constantFrom("/", "/pricing", "/thanks"), fc.webPath());
const country = fc.constantFrom("DE", "US", "(unknown)");

/** A visit with its page views and what follows from them, all of them facts; some of them written twice. */
export const visitFacts = (from: number, to: number): fc.Arbitrary<TrafficFact[]> =>
  fc
    .record({
      visit: fc.uuid(),
      visitor: fc.integer({ min: 1, max: 200 }),
      at: fc.integer({ min: from, max: to - 1 }),
      origin,
      country,
      isFirst: fc.boolean(),
      paths: fc.array(path, { minLength: 1, maxLength: 4 }),
      gaps: fc.array(fc.integer({ min: 1, max: QUARTER }), { minLength: 4, maxLength: 4 }),
      repeated: fc.boolean(),
    })
    .map(({ visit, visitor, at, origin, country, isFirst, paths, gaps, repeated }) => {
      const context = { visit, visitor, country, ...origin };
      const first: VisitFact = { kind: "visit", ...context, at, path: paths[0] ?? "/", isFirst };
      const facts: TrafficFact[] = [first];
      let time = at;
      paths.forEach((path, i) => {
        if (i > 0) time += gaps[i] ?? 1;
        if (i === 1) facts.push({ kind: "engagement", visit, at });
        facts.push({ kind: "pageview", ...context, at: time, id: `p${i}`, path });
        facts.push({
          kind: "attention",
          visit,
          at: time,
          id: `p${i}`,
          path,
          visibleMs: (gaps[i] ?? 0) % 90_000,
        });
      });
      return repeated ? [...facts, ...facts.slice(0, 2)] : facts;
    });

const productLine = fc.record({
  sku: fc.constantFrom("mug", "lamp", "kettle"),
  name: fc.constantFrom("Stone mug", "Lamp"),
  units: fc.integer({ min: 1, max: 5 }),
  revenue: fc.integer({ min: 0, max: 1_000_000 }),
});

export const conversionFact = (from: number, to: number): fc.Arbitrary<ConversionFact> =>
  fc
    .record({
      id: fc.uuid(),
      at: fc.integer({ min: from, max: to - 1 }),
      type: fc.constantFrom("Lead", "Schedule", "Purchase", "Custom"),
      credit: fc.option(origin, { nil: UNATTRIBUTED }),
      value: fc.integer({ min: 0, max: 10_000_000 }),
      products: fc.array(productLine, { maxLength: 3 }),
    })
    .map(({ id, at, type, credit, value, products }) => ({
      kind: "conversion",
      id: `evt_${id}`,
      at,
      version: 1,
      type: type as ConversionFact["type"],
      name: type === "Custom" ? "Demo booked" : type,
      visitor: null,
      ...credit,
      value: type === "Purchase" ? value : 0,
      products: type === "Purchase" ? products : [],
    }));

/** Facts of a site between two instants (a visit may run on a little beyond the end). */
export const siteFacts = (from: number, to: number, size = 30): fc.Arbitrary<Fact[]> =>
  fc
    .tuple(
      fc.array(visitFacts(from, to), { maxLength: size }),
      fc.array(conversionFact(from, to), { maxLength: size / 3 }),
    )
    .map(([visits, conversions]) => [...visits.flat(), ...conversions]);
