import fc from "fast-check";
import { quarterOf } from "../../shared/domain/analytics/block";
import { bucketAt } from "../../shared/domain/analytics/bucket";
import type { Facet } from "../../shared/domain/analytics/facets/facet";
import { leads as leadsFacet } from "../../shared/domain/analytics/facets/leads";
import { products as productsFacet } from "../../shared/domain/analytics/facets/products";
import { revenue as revenueFacet } from "../../shared/domain/analytics/facets/revenue";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { users as usersFacet } from "../../shared/domain/analytics/facets/users";
import type { ConversionFact, Fact, PageviewFact, VisitFact } from "../../shared/domain/analytics/fact";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import { DAY } from "../../shared/domain/instant";
import { fromMoney } from "../../shared/domain/money";
import { leadsBody } from "../../shared/domain/read-api/leads";
import { overviewBody } from "../../shared/domain/read-api/overview";
import { productsBody } from "../../shared/domain/read-api/products";
import { type DateRange, readRange } from "../../shared/domain/read-api/range";
import { revenueBody } from "../../shared/domain/read-api/revenue";
import { usersBody } from "../../shared/domain/read-api/users";
import { siteFacts } from "../support/facts";

const overview = { facet: traffic, shape: overviewBody };
const revenue = { facet: revenueFacet, shape: revenueBody };
const leads = { facet: leadsFacet, shape: leadsBody };
const products = { facet: productsFacet, shape: productsBody };
const users = { facet: usersFacet, shape: usersBody };

/** An answer made of cubes as they are stored: quarters sealed, merged into days, days merged by the reader. */
function answer<Cube, Body>(
  { facet, shape }: { facet: Facet<Cube>; shape: (cube: Cube, range: DateRange) => Body },
  facts: readonly Fact[],
  range: DateRange,
): Body {
  const stored = (cube: Cube): Cube => facet.decode(facet.encode(facet.bound(cube)));
  const inRange = facts.filter((fact) => fact.at >= range.start && fact.at < range.end);
  const quarters = [...Map.groupBy(inRange, (fact) => quarterOf(fact).start)]
    .sort(([a], [b]) => a - b)
    .flatMap(([start, some]) => {
      const cube = facet.fold(dedupe(some));
      return cube === null ? [] : [{ start, cube: stored(cube) }];
    });
  const days = Map.groupBy(quarters, ({ start }) => bucketAt("day", start).start);
  return shape(
    facet.merge([...days.values()].map((some) => stored(facet.merge(some.map(({ cube }) => cube))))),
    range,
  );
}

// What follows counts raw facts the slow and obvious way.

interface Counted {
  readonly visits: VisitFact[];
  readonly pageviews: PageviewFact[];
  readonly conversions: ConversionFact[];
}

function counted(facts: readonly Fact[], { start, end }: DateRange): Counted {
  const inRange = facts.filter((fact) => fact.at >= start && fact.at < end);
  const once = <F>(some: F[], id: (fact: F) => string): F[] => [
    ...new Map(some.map((fact) => [id(fact), fact])).values(),
  ];
  return {
    visits: once(
      inRange.filter((fact) => fact.kind === "visit"),
      (fact) => fact.visit,
    ),
    pageviews: once(
      inRange.filter((fact) => fact.kind === "pageview"),
      (fact) => `${fact.visit} ${fact.id}`,
    ),
    conversions: once(
      inRange.filter((fact) => fact.kind === "conversion"),
      (fact) => fact.id,
    ),
  };
}

const sum = <T>(things: readonly T[], figure: (thing: T) => number): number =>
  things.reduce((total, thing) => total + figure(thing), 0);
const originsOf = (facts: readonly { source: string; channel: string }[]) => [
  ...new Set(facts.map(({ source, channel }) => JSON.stringify([source, channel]))),
];
const from = (origin: string) => (fact: { source: string; channel: string }) =>
  JSON.stringify([fact.source, fact.channel]) === origin;
const byJson = (a: unknown, b: unknown) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

const ZONES = [
  "UTC",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "Pacific/Chatham",
  "America/Santiago",
  "America/Havana",
  "Europe/Berlin",
  "America/St_Johns",
];
const FIRST = Date.UTC(2023, 10, 3);
const facts = siteFacts(FIRST, FIRST + 5 * DAY, 40);
const range = fc
  .record({
    timezone: fc.constantFrom(...ZONES),
    first: fc.integer({ min: 0, max: 3 }),
    days: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ timezone, first, days }) => {
    const date = (day: number) => new Date(FIRST + day * DAY).toISOString().slice(0, 10);
    const query = { timezone, from: date(first), to: date(first + days) };
    return readRange(new URLSearchParams(query), FIRST);
  });
const overFactsAndRanges = (check: (facts: Fact[], range: DateRange) => void) =>
  fc.assert(fc.property(facts, range, check));

describe("leads", () => {
  it("are those of the raw facts, in all and by source, in any zone", () => {
    overFactsAndRanges((facts, range) => {
      const made = counted(facts, range).conversions.filter((fact) => fact.type === "Lead");
      const body = answer(leads, facts, range);
      expect(body.totals).toEqual({ leads: made.length });
      expect(body.by_source.map(({ leads }) => leads)).toEqual(
        body.by_source.map(({ leads }) => leads).toSorted((a, b) => b - a),
      );
      for (const row of body.by_source)
        expect(row.leads).toBe(made.filter(from(JSON.stringify([row.source, row.channel]))).length);
      expect(sum(body.by_source, (row) => row.leads)).toBe(made.length);
    });
  });
});

describe("revenue", () => {
  it("is that of the raw facts, in all, by source, product and local day, and the sums agree", () => {
    overFactsAndRanges((facts, range) => {
      const { visits, conversions } = counted(facts, range);
      const purchases = conversions.filter((fact) => fact.type === "Purchase");
      const body = answer(revenue, facts, range);
      const total = sum(purchases, (fact) => fact.value);
      expect(body.totals).toEqual({
        revenue: fromMoney(total),
        purchases: purchases.length,
        average_order_value: purchases.length ? fromMoney(total / purchases.length) : 0,
      });
      expect(body.by_source.toSorted(byJson)).toEqual(
        originsOf([...visits, ...purchases])
          .map((origin) => {
            const [source, channel] = JSON.parse(origin);
            const bought = purchases.filter(from(origin));
            const sessions = visits.filter(from(origin)).length;
            return {
              source,
              channel,
              revenue: fromMoney(sum(bought, (fact) => fact.value)),
              purchases: bought.length,
              conversion_rate_pct: sessions ? Math.round((bought.length / sessions) * 10_000) / 100 : 0,
            };
          })
          .sort(byJson),
      );
      const lines = purchases.flatMap((fact) => fact.products);
      expect(sum(body.by_product, (row) => row.units)).toBe(sum(lines, (line) => line.units));
      for (const { sku, product_name, units, revenue } of body.by_product) {
        const its = lines.filter((line) => line.sku === sku && line.name === product_name);
        expect([units, revenue]).toEqual([
          sum(its, (line) => line.units),
          fromMoney(sum(its, (line) => line.revenue)),
        ]);
      }
      expect(sum(body.by_day, (day) => day.purchases)).toBe(purchases.length);
      const day = new Intl.DateTimeFormat("en-CA", { timeZone: range.period.timezone, dateStyle: "short" });
      for (const { date, revenue, purchases: count } of body.by_day) {
        const its = purchases.filter((fact) => day.format(fact.at) === date);
        expect([date, count, revenue]).toEqual([date, its.length, fromMoney(sum(its, (fact) => fact.value))]);
      }
    });
  });

  it("has a row for every local day of the range, empty days as zeros, in order", () => {
    const range = readRange(
      new URLSearchParams({ from: "2022-09-01", to: "2022-09-30", timezone: "America/Santiago" }),
      FIRST,
    );
    const { by_day } = answer(revenue, [], range);
    expect(by_day).toHaveLength(30);
    expect(by_day[10]).toEqual({ date: "2022-09-11", revenue: 0, purchases: 0 });
  });
});

describe("products", () => {
  it("are those sold in the raw facts, with the best of each source", () => {
    overFactsAndRanges((facts, range) => {
      const purchases = counted(facts, range).conversions.filter((fact) => fact.products.length > 0);
      const body = answer(products, facts, range);
      const lines = purchases.flatMap(({ source, channel, products }) =>
        products.map((line) => ({ source, channel, ...line })),
      );
      for (const row of body.products) {
        const its = lines.filter((line) => line.sku === row.sku && line.name === row.product_name);
        const [units, revenue] = [sum(its, (line) => line.units), sum(its, (line) => line.revenue)];
        expect(row).toMatchObject({
          units_sold: units,
          revenue: fromMoney(revenue),
          average_price: fromMoney(revenue / units),
        });
      }
      expect(sum(body.products, (row) => row.units_sold)).toBe(sum(lines, (line) => line.units));
      expect(body.by_source).toHaveLength(originsOf(lines).length);
      for (const row of body.by_source) {
        const its = lines.filter(from(JSON.stringify([row.source, row.channel])));
        const of = (sku: string, name: string) =>
          sum(
            its.filter((line) => line.sku === sku && line.name === name),
            (line) => line.revenue,
          );
        expect(row.revenue).toBe(fromMoney(sum(its, (line) => line.revenue)));
        const best = of(row.top_product_sku, row.top_product_name);
        for (const line of its) expect(best).toBeGreaterThanOrEqual(of(line.sku, line.name));
      }
    });
  });
});

describe("users", () => {
  it("are distinct over the whole range, in all, by source and by country, and agree with overview", () => {
    overFactsAndRanges((facts, range) => {
      const { visits, pageviews } = counted(facts, range);
      const seen = [...visits, ...pageviews];
      const distinct = (some: readonly { visitor: number }[]) =>
        new Set(some.map((fact) => fact.visitor)).size;
      const body = answer(users, facts, range);
      expect(body.totals.unique_visitors).toBe(distinct(seen));
      expect(body.totals.unique_visitors).toBe(answer(overview, facts, range).totals.unique_visitors);
      expect(body.totals.returning_visitors).toBe(body.totals.unique_visitors - body.totals.new_visitors);
      for (const row of body.by_source) {
        expect(row.visitors).toBe(distinct(seen.filter(from(JSON.stringify([row.source, row.channel])))));
      }
      expect(body.by_source).toHaveLength(originsOf(seen).length);
      for (const row of body.by_country) {
        expect(row.visitors).toBe(distinct(seen.filter((fact) => fact.country === row.country)));
      }
    });
  });

  it("counts as new those whose first ever visit lies in the range, each once", () => {
    const visit = (n: number, isFirst: boolean, day: number): VisitFact => ({
      kind: "visit",
      visit: `v${n}-${day}`,
      visitor: n,
      at: FIRST + day * DAY,
      source: "google",
      channel: "Organic Search",
      country: "DE",
      path: "/",
      isFirst,
    });
    const all = [visit(1, true, 0), visit(1, false, 1), visit(2, true, 1), visit(3, false, 1)];
    const range = readRange(new URLSearchParams({ from: "2023-11-04", to: "2023-11-05" }), FIRST);
    expect(answer(users, all, range).totals).toEqual({
      unique_visitors: 3,
      returning_visitors: 2,
      new_visitors: 1,
    });
  });
});
