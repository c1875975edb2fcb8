import fc from "fast-check";
import { decodeBlock, encodeBlock, quarterOf, splitIntoBlocks } from "../../shared/domain/analytics/block";
import {
  bucketAt,
  bucketEnd,
  bucketId,
  type Level,
  parentOf,
  parseBucketId,
  QUARTER,
} from "../../shared/domain/analytics/bucket";
import { MAX_ROWS, OTHER } from "../../shared/domain/analytics/facets/figure-table";
import { originRows } from "../../shared/domain/analytics/facets/origins";
import { type TrafficCube, traffic } from "../../shared/domain/analytics/facets/traffic";
import type { TrafficFact } from "../../shared/domain/analytics/fact";
import { plan } from "../../shared/domain/analytics/plan";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import {
  countDistinct,
  members,
  packSet,
  union,
  unpackSet,
  visitorSet,
} from "../../shared/domain/analytics/visitor-set";
import { siteFacts, visitFacts } from "../support/facts";
import { naiveOverview } from "./naive";

const START = Date.UTC(2024, 1, 27);
const DAY = 96 * QUARTER;
const instant = fc.integer({ min: Date.UTC(1999, 0, 1), max: Date.UTC(2101, 0, 1) });
const level = fc.constantFrom<Level>("quarter", "day", "month");

describe("buckets", () => {
  it("hold the instants they are asked for, and their ids lead back to them", () => {
    fc.assert(
      fc.property(level, instant, (level, at) => {
        const bucket = bucketAt(level, at);
        expect(bucket.start).toBeLessThanOrEqual(at);
        expect(bucketEnd(bucket)).toBeGreaterThan(at);
        expect(parseBucketId(bucketId(bucket))).toEqual(bucket);
      }),
    );
  });

  it("nest: a bucket lies wholly in its parent", () => {
    fc.assert(
      fc.property(level, instant, (level, at) => {
        const bucket = bucketAt(level, at);
        const parent = parentOf(bucket);
        if (!parent) return;
        expect(parent.start).toBeLessThanOrEqual(bucket.start);
        expect(bucketEnd(parent)).toBeGreaterThanOrEqual(bucketEnd(bucket));
      }),
    );
  });

  it("have ids that sort by time within a level", () => {
    fc.assert(
      fc.property(level, instant, instant, (level, a, b) => {
        const [x, y] = [bucketAt(level, a), bucketAt(level, b)];
        expect(Math.sign(x.start - y.start)).toBe(
          bucketId(x) < bucketId(y) ? -1 : bucketId(x) > bucketId(y) ? 1 : 0,
        );
      }),
    );
  });
});

describe("a plan", () => {
  const interval = fc
    .tuple(fc.integer({ min: 0, max: 500 * 96 }), fc.integer({ min: 1, max: 400 * 96 }))
    .map(([from, length]) => ({ start: START + from * QUARTER, end: START + (from + length) * QUARTER }));
  const marked = fc.array(
    fc.tuple(level, fc.integer({ min: 0, max: 900 * DAY })).map(([level, at]) => bucketAt(level, START + at)),
    { maxLength: 20 },
  );

  it("tiles its interval in order, without gap or overlap", () => {
    fc.assert(
      fc.property(interval, marked, (interval, marked) => {
        let at = interval.start;
        for (const piece of plan(interval, marked)) {
          expect(piece.from).toBe(at);
          expect(piece.to).toBeGreaterThan(at);
          at = piece.to;
        }
        expect(at).toBe(interval.end);
      }),
    );
  });

  it("takes no cube of a bucket that is marked or has a marked bucket below it", () => {
    fc.assert(
      fc.property(interval, marked, (interval, marked) => {
        for (const { source, from, to } of plan(interval, marked)) {
          if (source === "facts") continue;
          for (let at = from; at < to; at = bucketEnd(bucketAt(source, at))) {
            const bucket = bucketAt(source, at);
            const below = marked.filter((m) => m.start >= bucket.start && bucketEnd(m) <= bucketEnd(bucket));
            expect(
              below.filter((m) => m.level === source || LEVELS.indexOf(m.level) < LEVELS.indexOf(source)),
            ).toEqual([]);
          }
        }
      }),
    );
  });

  it("reads a handful of runs for a year without markers, in any zone's offset", () => {
    for (const offset of [0, 22, 23, 51]) {
      const start = Date.UTC(2023, 10, 22) - offset * QUARTER;
      expect(plan({ start, end: start + 365 * DAY }, []).length).toBeLessThanOrEqual(5);
    }
  });
});
const LEVELS: Level[] = ["quarter", "day", "month"];

describe("visitor sets", () => {
  const numbers = fc.array(
    fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 60_000, max: 75_000 })),
    { maxLength: 3_000 },
  );

  it("hold exactly what was put in", () => {
    fc.assert(
      fc.property(numbers, (numbers) => {
        expect(members(visitorSet(numbers))).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      }),
    );
  });

  it("are equal bytes when they are equal sets, however they were put together", () => {
    fc.assert(
      fc.property(
        fc.array(numbers, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 0, max: 5 }),
        (parts, cut) => {
          const sets = parts.map(visitorSet);
          const whole = visitorSet(parts.flat());
          expect(union(sets)).toEqual(whole);
          expect(union([union(sets.slice(cut)), union(sets.slice(0, cut))])).toEqual(whole);
          expect(countDistinct(sets)).toBe(new Set(parts.flat()).size);
        },
      ),
    );
  });

  it("come back from storage as they were, sparse or dense, small numbers or the largest", () => {
    const wide = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { maxLength: 2_000 });
    fc.assert(
      fc.property(fc.oneof(numbers, wide), (numbers) => {
        const set = visitorSet(numbers);
        expect(Buffer.from(unpackSet(packSet(set)))).toEqual(Buffer.from(set));
      }),
    );
    const dense = visitorSet(Array.from({ length: 200_000 }, (_, i) => i * 2));
    expect(Buffer.from(unpackSet(packSet(dense)))).toEqual(Buffer.from(dense));
  });

  it("are equal bytes also when dense", () => {
    const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
    const [a, b] = [visitorSet(range(1, 5_000)), visitorSet(range(4_000, 140_000).filter((n) => n % 3))];
    const whole = visitorSet([...range(1, 5_000), ...range(4_000, 140_000).filter((n) => n % 3)]);
    expect(union([a, b])).toEqual(whole);
    expect(union([b, a, whole])).toEqual(whole);
  });
});

describe("a block", () => {
  const quarterFacts = fc
    .array(visitFacts(START, START + QUARTER), { minLength: 1, maxLength: 30 })
    .map((visits) => visits.flat().filter((fact) => quarterOf(fact).start === START));

  it("gives back the facts it was made of", () => {
    fc.assert(
      fc.property(quarterFacts, (facts) => {
        expect(byKind(decodeBlock(encodeBlock(facts)))).toEqual(byKind(facts));
      }),
    );
  });

  it("refuses facts of two quarters, and no facts", () => {
    const fact: TrafficFact = { kind: "engagement", visit: "a", at: START };
    expect(() => encodeBlock([fact, { ...fact, at: START + QUARTER }])).toThrow(RangeError);
    expect(() => encodeBlock([])).toThrow(RangeError);
  });

  it("never outgrows an item, whatever the paths", () => {
    const facts = Array.from({ length: 4_000 }, (_, i): TrafficFact => {
      const noise = Array.from({ length: 120 }, (_, j) =>
        String.fromCodePoint(0x4e00 + ((i * 7_919 + j * 104_729) % 20_000)),
      );
      return {
        kind: "attention",
        visit: `v${i}`,
        id: "1",
        at: START,
        path: `/${noise.join("")}`,
        visibleMs: i,
      };
    });
    const blocks = splitIntoBlocks(facts);
    expect(blocks.flat()).toEqual(facts);
    for (const block of blocks) expect(encodeBlock(block).length).toBeLessThan(390_000);
  });

  const byKind = (facts: readonly TrafficFact[]) => Object.groupBy(facts, (fact) => fact.kind);
});

describe("the traffic facet", () => {
  const facts = siteFacts(START, START + 3 * QUARTER, 24);
  const cubesOf = (facts: Parameters<typeof dedupe>[0]): TrafficCube[] => {
    const groups = Map.groupBy(facts, (fact) => quarterOf(fact).start);
    return [...groups].sort(([a], [b]) => a - b).flatMap(([, some]) => traffic.fold(dedupe(some)) ?? []);
  };

  it("folds and merges to what a naive count over the raw facts says", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const cube = traffic.merge(cubesOf(facts));
        const naive = naiveOverview(facts, { start: START, end: START + DAY });
        const rows = originRows(cube.rows);
        expect(rows.reduce((sum, row) => sum + row.sessions, 0)).toBe(naive.sessions);
        expect(rows.reduce((sum, row) => sum + row.revenue, 0)).toBe(naive.revenue);
        expect(rows.reduce((sum, row) => sum + row.leads, 0)).toBe(naive.leads);
        expect(countDistinct([cube.visitors])).toBe(naive.visitors);
      }),
    );
  });

  it("merges associatively and commutatively, to the byte", () => {
    fc.assert(
      fc.property(facts, fc.nat(), (facts, cut) => {
        const cubes = cubesOf(facts);
        const at = cubes.length ? cut % cubes.length : 0;
        const bytes = (...parts: TrafficCube[][]) =>
          traffic.encode(traffic.merge(parts.map((part) => traffic.merge(part))));
        const whole = bytes(cubes);
        expect(bytes(cubes.slice(0, at), cubes.slice(at))).toEqual(whole);
        expect(bytes(cubes.slice(at), cubes.slice(0, at))).toEqual(whole);
        expect(traffic.encode(traffic.decode(whole))).toEqual(whole);
      }),
    );
  });

  it("counts facts written twice once, in whatever order they come", () => {
    fc.assert(
      fc.property(facts, (facts) => {
        const [once, twice] = [
          traffic.merge(cubesOf(facts)),
          traffic.merge(cubesOf([...facts, ...facts.toReversed()])),
        ];
        expect(traffic.encode(twice)).toEqual(traffic.encode(once));
      }),
    );
  });

  it("keeps totals and channels exact when strangers invent more sources than it keeps", () => {
    const visits = Array.from({ length: 10_000 }, (_, i) => ({
      kind: "visit" as const,
      visit: `v${i}`,
      visitor: i + 1,
      at: START,
      source: `bot-${i % 9_000}`,
      channel: i % 2 ? "Referral" : "Organic Social",
      country: "DE",
      path: "/",
      isFirst: true,
    }));
    const cube = traffic.fold(dedupe(visits));
    if (!cube) throw new Error("no cube");
    const rows = originRows(traffic.bound(cube).rows);
    expect(rows.length).toBeLessThanOrEqual(2 * MAX_ROWS + 2);
    expect(rows.reduce((sum, row) => sum + row.sessions, 0)).toBe(10_000);
    const referral = rows.filter((row) => row.channel === "Referral");
    expect(referral.reduce((sum, row) => sum + row.sessions, 0)).toBe(5_000);
    expect(referral.some((row) => row.source === OTHER)).toBe(true);
  });
});
