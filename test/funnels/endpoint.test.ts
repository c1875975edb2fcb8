import fc from "fast-check";
import { createCubeReader } from "../../shared/application/cube-reader";
import { bucketAt, QUARTER } from "../../shared/domain/analytics/bucket";
import { funnelFacet } from "../../shared/domain/analytics/facets/funnel";
import type { Fact } from "../../shared/domain/analytics/fact";
import { type Funnel, funnelFacetName } from "../../shared/domain/funnels/funnel";
import { funnelsBody } from "../../shared/domain/read-api/funnels";
import { readRange } from "../../shared/domain/read-api/range";
import { httpFunction } from "../../shared/lambda/http";
import { funnels } from "../../shared/lambda/read-api/endpoints/funnels";
import { ask, readApi } from "../read-api/support";
import { event, funnelOf, journeys, naiveFunnel, quarterCubes, START, someFunnel, view } from "./journeys";

interface World {
  /** Quarters to be folded live; all others are sealed as far up as can be. */
  readonly open?: readonly number[];
  /** From where on funnels have cubes; nowhere when undefined. */
  readonly builtFrom?: number | undefined;
}

/** The endpoint over facts in memory. */
function endpointOver(facts: readonly Fact[], saved: readonly Funnel[], world: World = {}) {
  const { open = [], builtFrom } = world;
  const within = (from: number, to: number) => facts.filter(({ at }) => at >= from && at < to);
  const markers = open.map((at) => ({ bucket: bucketAt("quarter", at), nonce: "n", settlesAt: 0 }));
  const built = builtFrom === undefined ? [] : saved.map((one) => [funnelFacetName(one), builtFrom] as const);
  const cubes = createCubeReader({
    markers: { trust: async () => ({ markers, builtFrom: new Map(built) }) },
    facts: {
      read: async (_, from, to) => Map.groupBy(within(from, to), ({ at }) => bucketAt("quarter", at).start),
    },
    cubes: {
      async read(_, name, { level, from, to }) {
        const funnel = saved.find((one) => funnelFacetName(one) === name);
        if (!funnel || builtFrom === undefined) return [];
        const { merge, encode } = funnelFacet(funnel);
        return [...Map.groupBy(within(from, to), ({ at }) => bucketAt(level, at).start)]
          .filter(([start]) => start >= builtFrom)
          .sort(([a], [b]) => a - b)
          .map(([start, some]) => ({ start, bytes: encode(merge(quarterCubes(funnel, some))) }));
      },
    },
  });
  const { dependencies } = readApi({ clock: () => START });
  const pages = { top: () => Promise.reject(new Error("not asked for")) };
  const sources = { cubes, pages, funnels: { of: async () => ({ version: 1, funnels: saved }) } };
  return httpFunction(funnels.handler(dependencies, sources));
}

const bodyOf = async (...from: Parameters<typeof endpointOver>) =>
  (await ask(endpointOver(...from), "site_id=12&from=2026-11-02&to=2026-11-03")).json();

test("each saved funnel is answered as the contract has it, by id", async () => {
  const buyers = funnelOf({ page: "/shop/*" }, { event: "Lead" }, { event: "Purchase" });
  const named = {
    ...buyers,
    id: 2,
    name: "Buyers",
    steps: buyers.steps.map((s, i) => ({ ...s, name: `${i}` })),
  };
  const facts = [
    ...[1, 2, 3].map((visitor) => view(visitor, START, "/shop/mug")),
    ...[1, 2].map((visitor) => event(visitor, START + QUARTER, "Lead")),
    event(1, START + 2 * QUARTER, "Purchase"),
  ];
  await expect(
    bodyOf(facts, [named, { ...funnelOf({ page: "/x" }, { page: "/y" }), id: 1 }]),
  ).resolves.toEqual({
    period: { from: "2026-11-02", to: "2026-11-03", timezone: "UTC" },
    funnels: [
      expect.objectContaining({ id: 1, overall_conversion_pct: 0 }),
      {
        id: 2,
        name: "Buyers",
        steps: [
          { step_name: "0", visitors: 3, conversion_from_previous_pct: 100 },
          { step_name: "1", visitors: 2, conversion_from_previous_pct: 66.67 },
          { step_name: "2", visitors: 1, conversion_from_previous_pct: 50 },
        ],
        overall_conversion_pct: 33.33,
      },
    ],
  });
});

test("a site without saved funnels has an empty array", async () => {
  await expect(bodyOf([view(1, START, "/")], [])).resolves.toMatchObject({ funnels: [] });
});

test("where nobody did anything the first step shows 100 all the same, and every other figure 0", () => {
  expect(funnelsBody([{ funnel: funnelOf({ page: "/a" }, { page: "/b" }), visitors: [0, 0] }])).toMatchObject(
    {
      funnels: [
        {
          steps: [
            { visitors: 0, conversion_from_previous_pct: 100 },
            { visitors: 0, conversion_from_previous_pct: 0 },
          ],
          overall_conversion_pct: 0,
        },
      ],
    },
  );
});

test("whatever is open, built or not built yet, in any zone: it is what counting by hand says", async () => {
  const quarter = fc.integer({ min: 0, max: 2 * 96 }).map((quarter) => START + quarter * QUARTER);
  const day = fc.constantFrom(0, 1, 2).map((day) => START + day * 96 * QUARTER);
  const world = fc.record({ open: fc.array(quarter), builtFrom: fc.option(day, { nil: undefined }) });
  const saved = fc
    .array(someFunnel, { maxLength: 3 })
    .map((some) => some.map((one, i) => ({ ...one, id: i + 1 })));
  const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia");
  await fc.assert(
    fc.asyncProperty(saved, journeys, world, zone, async (saved, facts, world, timezone) => {
      const query = `site_id=12&from=2026-11-02&to=2026-11-02&timezone=${timezone}`;
      const range = readRange(new URLSearchParams(query), START);
      const body = (await ask(endpointOver(facts, saved, world), query)).json() as {
        funnels: { steps: { visitors: number }[] }[];
      };
      expect(body.funnels.map(({ steps }) => steps.map(({ visitors }) => visitors))).toEqual(
        saved.map((funnel) => naiveFunnel(funnel, facts, range)),
      );
    }),
  );
});
