import fc from "fast-check";
import { quarterOf } from "../../shared/domain/analytics/block";
import { QUARTER } from "../../shared/domain/analytics/bucket";
import { MAX_ROWS, OTHER } from "../../shared/domain/analytics/facets/figure-table";
import {
  type PagesCube,
  pageRows,
  pages,
  ranking,
  readPagesHead,
} from "../../shared/domain/analytics/facets/pages";
import type { Fact, PageviewFact } from "../../shared/domain/analytics/fact";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import {
  countPacked,
  members,
  packedSet,
  packSet,
  union,
  unionPacked,
  unpackSet,
  visitorSet,
} from "../../shared/domain/analytics/visitor-set";
import { siteFacts } from "../support/facts";

const START = Date.UTC(2024, 1, 27);
const facts = siteFacts(START, START + 3 * QUARTER, 24);

const cubesOf = (facts: readonly Fact[]): PagesCube[] =>
  [...Map.groupBy(facts, (fact) => quarterOf(fact).start).values()].flatMap(
    (some) => pages.fold(dedupe(some)) ?? [],
  );

const pageview = (i: number, path: string, visitor = i): PageviewFact => ({
  ...{ kind: "pageview", id: `p${i}`, at: START, path, visit: `v${i}`, visitor },
  ...{ source: "google", channel: "Paid Search", country: "DE" },
});

function folded(facts: readonly Fact[]): PagesCube {
  const cube = pages.fold(dedupe(facts));
  if (!cube) throw new Error("no cube");
  return cube;
}

const visitorsOf = ({ visitors }: PagesCube): Record<string, number[]> =>
  Object.fromEntries([...visitors].map(([path, set]) => [path, members(unpackSet(set))]));

describe("the pages facet", () => {
  it("merges associatively and commutatively, to the byte, and decodes what it encodes", () => {
    fc.assert(
      fc.property(facts, fc.nat(), (facts, cut) => {
        const cubes = cubesOf(facts);
        const at = cubes.length ? cut % cubes.length : 0;
        const bytes = (...parts: PagesCube[][]) =>
          pages.encode(pages.merge(parts.map((part) => pages.merge(part))));
        const whole = bytes(cubes);
        expect(bytes(cubes.slice(0, at), cubes.slice(at))).toEqual(whole);
        expect(bytes(cubes.slice(at), cubes.slice(0, at))).toEqual(whole);
        expect(pages.encode(pages.decode(whole))).toEqual(whole);
      }),
    );
  });

  it("counts facts written twice once, in whatever order they come", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const bytes = (facts: readonly Fact[]) => pages.encode(pages.merge(cubesOf(facts)));
        expect(bytes([...facts, ...facts.toReversed()])).toEqual(bytes(facts));
      }),
    );
  });

  it("tells all figures, and where each set lies, by the head alone", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const cube = pages.merge(cubesOf(facts));
        const bytes = pages.encode(cube);
        const head = readPagesHead(bytes.subarray(0, pages.headOf?.(bytes)));
        expect(ranking(pageRows().load(head.rows))).toEqual(ranking(cube.rows));
        const places = [...head.sets()];
        expect(new Map(places.map(([path, from, to]) => [path, bytes.subarray(from, to)]))).toEqual(
          new Map(places.map(([path]) => [path, Buffer.from(cube.visitors.get(path) ?? [])])),
        );
        expect(places).toHaveLength(cube.visitors.size);
      }),
    );
  });

  it("has the sets of the pages with most page views at the front of its body", () => {
    const views = [1, 2, 3].flatMap((n) =>
      Array.from({ length: n }, (_, i) => pageview(10 * n + i, `/${n}`)),
    );
    const [first, second, third] = readPagesHead(pages.encode(folded(views))).sets();
    expect([first?.[0], second?.[0], third?.[0]]).toEqual(["/3", "/2", "/1"]);
    expect(second?.[1]).toBe(first?.[2]);
  });

  it("keeps the largest pages when strangers invent more than it keeps; the rest is one row, totals and visitors exact", () => {
    const known = Array.from({ length: 300 }, (_, i) => pageview(i, `/known/${i % 100}`, 1 + (i % 7)));
    const invented = Array.from({ length: 9_000 }, (_, i) =>
      pageview(1_000 + i, `/bot/${i}`, 100 + (i % 4_000)),
    );
    const cube = folded([...known, ...invented]);
    const bounded = pages.decode(pages.encode(pages.bound(cube)));
    expect(bounded.rows.entries()).toHaveLength(MAX_ROWS + 1);
    expect(bounded.rows.total("pageviews")).toBe(9_300);
    const byPath = new Map(ranking(bounded.rows).map((row) => [row.path, row]));
    for (let i = 0; i < 100; i++) expect(byPath.get(`/known/${i}`)?.pageviews).toBe(3);
    const kept = new Set(byPath.keys());
    const rest = invented.filter(({ path }) => !kept.has(path));
    expect(byPath.get(OTHER)?.pageviews).toBe(rest.length);
    expect(visitorsOf(bounded)[OTHER]).toEqual(
      [...new Set(rest.map(({ visitor }) => visitor))].sort((a, b) => a - b),
    );
  });

  it("has no cube of a quarter without traffic", () => {
    expect(pages.fold(dedupe([{ kind: "engagement", visit: "v", at: START }]))).toBeNull();
    expect(pages.decode(pages.encode(pages.merge([]))).rows.entries()).toEqual([]);
  });
});

describe("packed sets", () => {
  const number = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }));
  const numbers = fc.oneof(
    fc.array(number, { maxLength: 40 }),
    fc.array(number, { minLength: 500, maxLength: 3_000 }),
    fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 3_000 }),
  );

  it("hold what sets hold: they unite and are counted packed as unpacked, to the byte", () => {
    fc.assert(
      fc.property(fc.array(numbers, { minLength: 1, maxLength: 5 }), (parts) => {
        const packed = parts.map(packedSet);
        const whole = visitorSet(parts.flat());
        expect(packed).toEqual(parts.map((part) => packSet(visitorSet(part))));
        expect(unionPacked(packed)).toEqual(packSet(union(parts.map(visitorSet))));
        expect(Buffer.from(unpackSet(unionPacked(packed)))).toEqual(Buffer.from(whole));
        expect(countPacked(packed)).toBe(new Set(parts.flat()).size);
      }),
    );
  });

  it("are of three kinds, which unite with each other", () => {
    const every = (step: number, count: number) => Array.from({ length: count }, (_, i) => i * step);
    const kinds = [every(1_000, 10), every(3, 5_000), every(2, 60_000)];
    const packed = kinds.map(packedSet);
    expect(new Set(packed.map(([kind]) => kind)).size).toBe(3);
    expect(countPacked(packed)).toBe(new Set(kinds.flat()).size);
    expect(members(unpackSet(unionPacked(packed)))).toEqual([...new Set(kinds.flat())].sort((a, b) => a - b));
  });

  it("of a few visitors take a few bytes", () => {
    expect(packedSet([]).length).toBe(1);
    expect(packedSet([90_000]).length).toBe(4);
  });
});
