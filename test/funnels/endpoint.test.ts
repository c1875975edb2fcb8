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

/** The endpoint over facts in memory: those of `open` quarters to be folded live, all others sealed as far up as can be. */
function endpointOver(facts: readonly Fact[], saved: readonly Funnel[], open: readonly number[] = []) {
  const within = (from: number, to: number) => facts.filter(({ at }) => at >= from && at < to);
  const cubes = createCubeReader({
    markers: {
      list: async () => open.map((at) => ({ bucket: bucketAt("quarter", at), nonce: "n", settlesAt: 0 })),
    },
    facts: {
      read: async (_, from, to) => Map.groupBy(within(from, to), ({ at }) => bucketAt("quarter", at).start),
      days: async () => [],
      quarters: async () => [],
    },
    cubes: {
      async read(_, name, { level, from, to }) {
        const funnel = saved.find((one) => funnelFacetName(one) === name);
        if (!funnel) return [];
        const { merge, encode } = funnelFacet(funnel);
        return [...Map.groupBy(within(from, to), ({ at }) => bucketAt(level, at).start)]
          .sort(([a], [b]) => a - b)
          .map(([start, some]) => ({ start, bytes: encode(merge(quarterCubes(funnel, some))) }));
      },
      seal: async () => true,
    },
  });
  const { dependencies } = readApi({ clock: () => START });
  const sources = { cubes, funnels: { of: async () => ({ version: 1, funnels: saved }) } };
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

test("open quarters amid sealed ones, in any zone, count as each visitor's journey does by hand", async () => {
  const open = fc.array(fc.integer({ min: 0, max: 2 * 96 - 1 }).map((quarter) => START + quarter * QUARTER));
  const zone = fc.constantFrom("UTC", "Asia/Kathmandu", "America/St_Johns", "Pacific/Apia");
  await fc.assert(
    fc.asyncProperty(
      fc.array(someFunnel, { maxLength: 3 }).map((some) => some.map((one, i) => ({ ...one, id: i + 1 }))),
      journeys,
      open,
      zone,
      async (saved, facts, open, timezone) => {
        const query = `site_id=12&from=2026-11-02&to=2026-11-02&timezone=${timezone}`;
        const range = readRange(new URLSearchParams(query), START);
        const body = (await ask(endpointOver(facts, saved, open), query)).json() as {
          funnels: { steps: { visitors: number }[] }[];
        };
        expect(body.funnels.map(({ steps }) => steps.map(({ visitors }) => visitors))).toEqual(
          saved.map((funnel) => naiveFunnel(funnel, facts, range)),
        );
      },
    ),
    { numRuns: 100 },
  );
});
