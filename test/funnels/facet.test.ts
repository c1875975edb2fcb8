import fc from "fast-check";
import { bucketAt, QUARTER } from "../../shared/domain/analytics/bucket";
import { type FunnelCube, funnelFacet, reached } from "../../shared/domain/analytics/facets/funnel";
import type { Fact } from "../../shared/domain/analytics/fact";
import type { Funnel, StepMatch } from "../../shared/domain/funnels/funnel";
import { event, funnelOf, journeys, naiveFunnel, quarterCubes, START, someFunnel, view } from "./journeys";

const END = START + 2 * 96 * QUARTER;
const steps = (funnel: Funnel) => funnel.steps.length;
const count = (funnel: Funnel, facts: readonly Fact[]) => reached(quarterCubes(funnel, facts), steps(funnel));
const pages = (...paths: string[]): StepMatch[] => paths.map((page) => ({ page }));

describe("the facet of a funnel", () => {
  const bytes = (funnel: Funnel, cube: FunnelCube) => funnelFacet(funnel).encode(cube);

  it("merges associatively, to the byte, wherever time is cut", () => {
    fc.assert(
      fc.property(someFunnel, journeys, fc.nat(), fc.nat(), (funnel, facts, a, b) => {
        const { merge } = funnelFacet(funnel);
        const cubes = quarterCubes(funnel, facts);
        const [from = 0, to = 0] = [a, b].map((cut) => cut % (cubes.length + 1)).sort((x, y) => x - y);
        const parts = [cubes.slice(0, from), cubes.slice(from, to), cubes.slice(to)].map(merge);
        expect(bytes(funnel, merge(parts))).toEqual(bytes(funnel, merge(cubes)));
      }),
    );
  });

  it("makes of quarters what folding all their facts at once would have made", () => {
    fc.assert(
      fc.property(someFunnel, journeys, (funnel, facts) => {
        // A bucket's length is no concern of folding, so the whole may be folded as if it were one quarter.
        const { merge, fold } = funnelFacet(funnel);
        const seen = new Map<string, Fact>();
        for (const fact of facts) if (fact.kind === "conversion") seen.set(fact.id, fact); // versions come in order
        const whole = fold({
          ...{ visits: [], engaged: new Set<string>(), attentions: [] },
          pageviews: facts.filter((fact) => fact.kind === "pageview"),
          conversions: [...seen.values()].filter((fact) => fact.kind === "conversion"),
        });
        expect(bytes(funnel, merge(quarterCubes(funnel, facts)))).toEqual(bytes(funnel, whole ?? new Map()));
      }),
    );
  });

  it("comes back from storage as it was", () => {
    fc.assert(
      fc.property(someFunnel, journeys, (funnel, facts) => {
        const { merge, encode, decode } = funnelFacet(funnel);
        const cube = merge(quarterCubes(funnel, facts));
        expect(decode(encode(cube))).toEqual(new Map([...cube].sort(([a], [b]) => a - b)));
      }),
    );
  });

  it("has each visitor in one map at most, and none whom the time left as they were", () => {
    fc.assert(
      fc.property(someFunnel, journeys, (funnel, facts) => {
        const cube = funnelFacet(funnel).merge(quarterCubes(funnel, facts));
        const all = [...cube.values()].flatMap((visitors) => [...visitors]);
        expect(new Set(all).size).toBe(all.length);
        expect(cube.size).toBeLessThanOrEqual(all.length);
      }),
    );
  });

  it("is empty of a time in which nobody did a step", () => {
    const funnel = funnelOf({ page: "/a" }, { page: "/b" });
    expect(quarterCubes(funnel, [view(1, START, "/c")])).toEqual([]);
    const { merge, encode, decode } = funnelFacet(funnel);
    expect(decode(encode(merge([])))).toEqual(new Map());
    expect(reached([], 2)).toEqual([0, 0]);
  });

  it("holds the highest visitor number and a set too dense for gaps", () => {
    const funnel = funnelOf({ page: "/a" }, { page: "/b" });
    const { encode, decode, merge } = funnelFacet(funnel);
    const dense = Uint32Array.from({ length: 80_000 }, (_, i) => 3 + i * 2);
    const [cube] = quarterCubes(funnel, [view(1, START, "/a"), view(1, START + 1, "/b")]);
    const [both] = [...(cube ?? new Map()).keys()];
    const stored = decode(encode(new Map([[both, dense]])));
    expect(stored.get(both)).toEqual(dense);
    expect(merge([stored, cube ?? new Map()]).get(both)).toEqual(Uint32Array.of(1, ...dense));
    expect(reached([stored, new Map([[both, Uint32Array.of(2_000_000)]])], 2)).toEqual([80_001, 80_001]);
  });
});

describe("a funnel over a range", () => {
  it("is what counting each visitor's journey by hand says, from quarters, days and any mix of them", () => {
    const quarter = fc.integer({ min: 0, max: 2 * 96 });
    fc.assert(
      fc.property(someFunnel, journeys, quarter, quarter, (funnel, facts, a, b) => {
        const [start = 0, end = 0] = [a, b].map((q) => START + q * QUARTER).sort((x, y) => x - y);
        const inRange = facts.filter((fact) => fact.at >= start && fact.at < end);
        const byDay = [...Map.groupBy(inRange, (fact) => bucketAt("day", fact.at).start).entries()]
          .sort(([x], [y]) => x - y)
          .map(([, some]) => quarterCubes(funnel, some));
        const { merge } = funnelFacet(funnel);
        const expected = naiveFunnel(funnel, facts, { start, end });
        expect(reached(byDay.flat(), steps(funnel))).toEqual(expected);
        expect(reached(byDay.map(merge), steps(funnel))).toEqual(expected);
        expect(reached([merge(byDay.flat())], steps(funnel))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });

  it("needs the steps in their order, each strictly later, whatever lies between", () => {
    const funnel = funnelOf(...pages("/a", "/b", "/c"));
    expect(
      count(funnel, [
        ...[view(1, START, "/a"), view(1, START + 1, "/x"), view(1, START + 2, "/b"), view(1, END - 1, "/c")],
        ...[view(2, START, "/b"), view(2, START + 1, "/a"), view(2, START + 2, "/c")],
        ...[view(3, START, "/c"), view(3, START + 1, "/b"), view(3, START + 2, "/a")],
      ]),
    ).toEqual([3, 1, 1]);
  });

  it("gains one step at most at one instant", () => {
    const [a, b] = [view(1, START, "/a"), view(1, START, "/b")];
    expect(count(funnelOf(...pages("/a", "/b")), [a, b])).toEqual([1, 0]);
    expect(count(funnelOf(...pages("/a", "/b")), [a, b, view(1, START + 1, "/b")])).toEqual([1, 1]);
    expect(count(funnelOf({ page: "/a" }, { event: "Lead" }), [a, event(1, START, "Lead")])).toEqual([1, 0]);
  });

  it("asks for a page as often as it is a step", () => {
    const funnel = funnelOf(...pages("/a", "/a", "/a"));
    const twice = [view(1, START, "/a"), view(1, START, "/a"), view(1, START + 5, "/a")];
    expect(count(funnel, twice)).toEqual([1, 1, 0]);
    expect(count(funnel, [...twice, view(1, END - 1, "/a")])).toEqual([1, 1, 1]);
  });

  it("takes one view for one step only, also where several steps would have it", () => {
    const funnel = funnelOf(...pages("/shop/*", "/shop/mug", "/*"));
    const mug = view(1, START, "/shop/mug");
    expect(count(funnel, [mug])).toEqual([1, 0, 0]);
    expect(count(funnel, [mug, view(1, START + 1, "/shop/mug"), view(1, START + 2, "/")])).toEqual([1, 1, 1]);
    expect(count(funnel, [view(1, START, "/shop")])).toEqual([0, 0, 0]);
  });

  it("leaves out conversions without a visitor, and takes the latest version of each", () => {
    const funnel = funnelOf({ page: "/a" }, { event: "Purchase" });
    const sale = event(1, START + 5, "Purchase");
    const facts = [view(1, START, "/a"), view(2, START, "/a"), event(null, START + 5, "Purchase")];
    expect(count(funnel, facts)).toEqual([2, 0]);
    expect(count(funnel, [...facts, sale])).toEqual([2, 1]);
    expect(count(funnel, [...facts, { ...sale, version: 2, visitor: 2 }, sale])).toEqual([2, 1]);
    expect(count(funnel, [...facts, sale, { ...sale, version: 2, visitor: null }])).toEqual([2, 0]);
  });

  it("tells custom events apart by their exact names, and none of them from a standard type", () => {
    const funnel = funnelOf({ event: "Demo booked" }, { event: "Lead" });
    const posing = event(1, START + 2, "Lead", { type: "Custom", name: "lead" });
    expect(count(funnel, [event(1, START, "demo booked"), event(2, START, "Demo booked"), posing])).toEqual([
      1, 0,
    ]);
  });

  it("counts nothing that was done before the range", () => {
    const funnel = funnelOf(...pages("/a", "/b"));
    const facts = [view(1, START + QUARTER - 1, "/a"), view(1, START + QUARTER, "/b")];
    expect(count(funnel, facts)).toEqual([1, 1]);
    expect(reached(quarterCubes(funnel, facts).slice(1), 2)).toEqual([0, 0]);
  });
});
