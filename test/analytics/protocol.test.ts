import fc from "fast-check";
import { bucketAt, bucketEnd, bucketId, type Level, QUARTER } from "../../shared/domain/analytics/bucket";
import { MAX_ROWS } from "../../shared/domain/analytics/facets/figure-table";
import { funnelFacet, reached } from "../../shared/domain/analytics/facets/funnel";
import { originRows } from "../../shared/domain/analytics/facets/origins";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import type { ConversionFact, Fact, TrafficFact } from "../../shared/domain/analytics/fact";
import { countDistinct } from "../../shared/domain/analytics/visitor-set";
import { funnelFacetName } from "../../shared/domain/funnels/funnel";
import { DAY, HOUR, MINUTE, SECOND } from "../../shared/domain/instant";
import { facetChanged } from "../../shared/storage/analytics/facet-builds";
import { isConditionFailure } from "../../shared/storage/dynamo";
import { funnelsKey } from "../../shared/storage/funnels/funnel-keys";
import { createFunnelDirectory } from "../../shared/storage/funnels/funnels";
import { toItem } from "../../shared/storage/funnels/funnels-item";
import { transact } from "../../shared/storage/transact";
import { funnelOf, naiveFunnel } from "../funnels/journeys";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { conversionFact, siteFacts, visitFacts } from "../support/facts";
import { Interleaver } from "../support/interleaver";
import { type Stepwise, weakDatabase } from "../support/weak-database";
import { naiveOverview } from "./naive";

const START = Date.UTC(2024, 1, 29, 23, 0); // the last hour of a leap day: quarters of two days and two months
const WHOLE = { start: START - DAY, end: START + 3 * DAY };

let engine: Engine;
let sites = 0;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** What the reader says, in the naive count's words. */
async function overview(core: ReturnType<typeof analyticsOver>, site: number, interval = WHOLE) {
  const cube = await core.reader.read({ site, facet: traffic, interval });
  const entries = originRows(cube.rows);
  const sum = (field: "sessions" | "pageviews" | "leads" | "purchases" | "revenue") =>
    entries.reduce((total, row) => total + row[field], 0);
  return {
    sessions: sum("sessions"),
    visitors: countDistinct([cube.visitors]),
    pageviews: sum("pageviews"),
    leads: sum("leads"),
    purchases: sum("purchases"),
    revenue: sum("revenue"),
    rows: Object.fromEntries(
      entries.map((row) => [
        `${row.source} / ${row.channel}`,
        [row.sessions, row.pageviews, row.leads, row.purchases, row.revenue],
      ]),
    ),
  };
}

/** Every cube of the site of these facets, as text. */
async function cubesOf(
  core: ReturnType<typeof analyticsOver>,
  site: number,
  facets: readonly string[],
): Promise<Record<string, string>> {
  const levels: Level[] = ["quarter", "day", "month"];
  const found = await Promise.all(
    levels.flatMap((level) =>
      facets.map(async (facet) => {
        const run = {
          level,
          from: bucketAt(level, WHOLE.start).start,
          to: bucketEnd(bucketAt(level, WHOLE.end)),
        };
        return (await core.cubes.read(site, facet, run)).map(({ start, bytes }) => [
          `${facet} ${bucketId({ level, start })}`,
          Buffer.from(bytes).toString("base64"),
        ]);
      }),
    ),
  );
  return Object.fromEntries(found.flat());
}

/** Revisions of one funnel, as a member changes it. */
const funnel = (revision: number) => ({
  ...funnelOf({ page: "/" }, { page: revision % 2 ? "/*" : "/pricing" }, { event: "Lead" }),
  revision,
});

/** Which visitors have come how far in the site's funnel, as the endpoint reads it; null when there is none. */
async function funnelReached(core: ReturnType<typeof analyticsOver>, site: number) {
  const [trust, { funnels }] = await Promise.all([core.markers.trust(site), core.funnels.of(site)]);
  const [saved] = funnels;
  if (!saved) return null;
  const facets = [funnelFacet(saved)];
  const [cubes = []] = await core.reader.inOrder({
    ...{ site, facets, interval: WHOLE, trust: Promise.resolve(trust) },
  });
  return { saved, reached: reached(cubes, saved.steps.length) };
}

/** How far a process' clock is ahead (ms). Writers behind and sealers ahead by a minute are within the protocol's bound. */
const skew = fc.constantFrom(-MINUTE, 0, MINUTE);

type Step =
  | { kind: "traffic"; facts: TrafficFact[]; skew: number }
  | { kind: "conversion"; fact: ConversionFact; skew: number }
  | { kind: "seal"; skew: number }
  | { kind: "read" }
  | { kind: "save" }
  | { kind: "build"; skew: number }
  | { kind: "pass"; choice: number; most: number }
  | { kind: "crash"; choice: number; tookEffect: boolean }
  | { kind: "wait"; ms: number };

const END = START + 2 * HOUR;
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant("traffic" as const), facts: visitFacts(START, END), skew }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("conversion" as const),
      fact: conversionFact(START, END),
      skew,
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("seal" as const), skew }) },
  { weight: 1, arbitrary: fc.constant({ kind: "read" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "save" as const }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("build" as const), skew }) },
  {
    weight: 24,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      choice: fc.nat(5_000),
      most: fc.constantFrom(1, 1, 2, 4, 20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("crash" as const),
      choice: fc.nat(5_000),
      tookEffect: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom(SECOND, 20 * SECOND, 6 * MINUTE, QUARTER)
      .map((ms) => ({ kind: "wait" as const, ms })),
  },
);

/** Amid open quarters, seconds before one closes, and when all have long been over. */
const start = fc.constantFrom(START + 10 * MINUTE, START + 2 * QUARTER - 5 * SECOND, END + 6 * MINUTE);

/** Small enough that most cubes here have several parts. */
const SMALL_PARTS = { maxPartBytes: 100 };

/** Carries the steps out on a site of its own and checks what the protocol promises on the way and in the end. */
async function play(begins: number, steps: readonly Step[], database?: Stepwise): Promise<void> {
  const site = ++sites;
  const run = new Interleaver(database);
  let now = begins;
  const written: Fact[] = []; // whose writer was told so
  const begun: Fact[] = [];
  const work: Promise<unknown>[] = [];
  const errors: unknown[] = [];
  const lost: (() => Promise<unknown>)[] = [];
  let revision = 0;

  type Job = (core: ReturnType<typeof analyticsOver>, dynamo: Engine["dynamo"]) => Promise<unknown>;
  const begin = (facts: Fact[], skew: number, job: Job) => {
    begun.push(...facts);
    const attempt = () =>
      run
        .start(engine.dynamo, now, (dynamo) =>
          job(
            analyticsOver(engine, dynamo, () => now + skew, SMALL_PARTS),
            dynamo,
          ),
        )
        .then(
          (finished) => {
            if (finished) written.push(...facts);
            else if (facts.length) lost.push(attempt); // the queue (or the tool) delivers it again
          },
          (error) => errors.push(error),
        );
    work.push(attempt());
  };

  for (const one of steps) {
    switch (one.kind) {
      case "traffic": {
        // A fact is at most 2 s from the future (server-time), and old ones come late.
        const facts = one.facts.filter((fact) => fact.at <= now + 2 * SECOND);
        if (facts.length) begin(facts, one.skew, (core) => core.log.append(site, facts));
        break;
      }
      case "conversion": {
        const fact = one.fact;
        if (fact.at > now) break;
        begin([fact], one.skew, async (core, dynamo) =>
          transact(dynamo, await core.log.conversionWrites(site, [fact])),
        );
        break;
      }
      case "seal":
        begin([], one.skew, async (core) =>
          core.sealer.seal(
            site,
            (await core.markers.list(site)).map((m) => m.bucket),
          ),
        );
        break;
      case "read": {
        const before = [...written];
        begin([], 0, async (core) => {
          const seen = await overview(core, site);
          const least = naiveOverview(before, WHOLE);
          const most = naiveOverview(begun, WHOLE);
          expect(seen.pageviews).toBeGreaterThanOrEqual(least.pageviews);
          expect(seen.sessions).toBeGreaterThanOrEqual(least.sessions);
          expect(seen.revenue).toBeGreaterThanOrEqual(least.revenue);
          expect(seen.pageviews).toBeLessThanOrEqual(most.pageviews);
          expect(seen.visitors).toBeLessThanOrEqual(most.visitors);
          const found = await funnelReached(core, site);
          if (!found) return;
          naiveFunnel(found.saved, before, WHOLE).forEach((least, step) => {
            expect(found.reached[step]).toBeGreaterThanOrEqual(least);
          });
          naiveFunnel(found.saved, begun, WHOLE).forEach((most, step) => {
            expect(found.reached[step]).toBeLessThanOrEqual(most);
          });
        });
        break;
      }
      case "save": {
        const next = ++revision;
        begin([], 0, (_, dynamo) => saveFunnel(dynamo, site, next, now));
        break;
      }
      case "build": {
        const facet = funnelFacetName(funnel(Math.max(1, revision)));
        begin([], one.skew, (core) => core.builder.build({ site, facet }, now + one.skew));
        break;
      }
      case "pass":
        if (run.waiting) await run.pass(one.choice, one.most);
        break;
      case "crash":
        await run.crash(one.choice, one.tookEffect);
        break;
      case "wait":
        now += one.ms;
        await run.timeOut(now - MINUTE); // no function runs longer than a minute
    }
  }
  await run.drain();
  await Promise.all(work);
  for (const again of lost.splice(0)) {
    const done = again();
    await run.drain();
    await done;
  }
  expect(errors).toEqual([]);

  const core = analyticsOver(engine, engine.dynamo, () => now, SMALL_PARTS);
  const truth = naiveOverview(begun, WHOLE);
  const saved = (await core.funnels.of(site)).funnels[0] ?? null;
  const funnelTruth = saved && naiveFunnel(saved, begun, WHOLE);
  const facets = [traffic.name, ...(saved ? [funnelFacetName(saved)] : [])];
  const check = async () => {
    expect(await overview(core, site)).toEqual(truth);
    expect((await funnelReached(core, site))?.reached ?? null).toEqual(funnelTruth);
  };
  await check();

  now += 40 * DAY;
  for (let earlier = 1; earlier <= revision; earlier++) {
    const build = { site, facet: funnelFacetName(funnel(earlier)) };
    while (!(await core.builder.build(build, now)));
    expect(await core.builds.find(build)).toBeNull();
    if (build.facet === facets[1]) continue;
    expect(await cubesOf(core, site, [build.facet])).toEqual({});
  }
  await check();
  await core.sealAll(site);
  expect(await core.markers.list(site)).toEqual([]);
  await check();

  const sealed = await cubesOf(core, site, facets);
  await core.rebuilder.rebuild(site);
  expect(await cubesOf(core, site, facets)).toEqual(sealed);
  await check();
}

/** Puts the next revision of the site's one funnel in the place of the one before, as the product does. */
async function saveFunnel(dynamo: Engine["dynamo"], site: number, revision: number, now: number) {
  const { Config, Facts } = engine.tables;
  const { version, funnels } = await createFunnelDirectory(dynamo, Config).of(site);
  if (funnels.some((one) => one.revision >= revision)) return;
  const names = [funnel(revision), ...funnels].map(funnelFacetName);
  const saving = transact(dynamo, [
    {
      Put: {
        TableName: Config,
        Item: {
          ...funnelsKey(site),
          ...toItem({ version: version + 1, nextId: 2, funnels: [{ ...funnel(revision), created: now }] }),
        },
        ConditionExpression: "attribute_not_exists(version) OR version = :version",
        ExpressionAttributeValues: { ":version": version },
      },
    },
    ...names.map((name) => facetChanged(Facts, site, name, now)),
  ]);
  await saving.catch((error) => {
    if (!isConditionFailure(error)) throw error; // Another save came first.
  });
}

const steps = fc.array(step, { minLength: 30, maxLength: 200, size: "max" });
/** Without shrinking: seed and path tell it all, and a shorter story takes minutes to find. */
const RUNS = { numRuns: Number(process.env.PROPERTY_RUNS ?? 40), endOnFailure: true };

describe("the marker protocol", () => {
  it("ends in the right figures after any interleaving of writers, sealers, readers and crashes, and a rebuild equals it byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(start, steps, (begins, steps) => play(begins, steps)),
      RUNS,
    );
  }, 240_000);

  it("does so on the weakest database the documentation allows: transactions seen in part, queries that are no snapshot, requests sent twice", async () => {
    await fc.assert(
      fc.asyncProperty(start, steps, (begins, steps) => play(begins, steps, weakDatabase(engine.dynamo))),
      RUNS,
    );
  }, 240_000);
});

describe("reading", () => {
  it("agrees with a naive count over the raw facts for any interval, sealed, half sealed or live", async () => {
    const from = Date.UTC(2024, 0, 28);
    const to = Date.UTC(2024, 2, 4);
    const edge = fc.integer({ min: 0, max: (to - from) / QUARTER }).map((n) => from + n * QUARTER);
    await fc.assert(
      fc.asyncProperty(
        siteFacts(from, to, 60),
        fc.array(fc.tuple(edge, edge), { minLength: 1, maxLength: 4 }),
        async (facts, edges) => {
          const site = ++sites;
          let now = from + 20 * DAY;
          const core = analyticsOver(engine, engine.dynamo, () => now);
          const early = facts.filter((fact) => fact.at <= now);
          const late = facts.filter((fact) => fact.at > now);
          const intervals = edges.map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + QUARTER }));
          const check = async (known: Fact[]) => {
            for (const interval of intervals) {
              expect(await overview(core, site, interval)).toEqual(naiveOverview(known, interval));
            }
          };
          await write(core, site, early);
          await check(early);
          await core.sealAll(site);
          await check(early);
          now = to + 40 * DAY;
          await write(core, site, late);
          await check(facts);
          await core.sealAll(site);
          await check(facts);
        },
      ),
      { numRuns: 15 },
    );
  }, 120_000);

  it("answers with a bounded number of rows when strangers invent new sources every day, totals exact", async () => {
    const site = ++sites;
    const core = analyticsOver(engine, engine.dynamo, () => START + 40 * DAY);
    const visits = Array.from({ length: 9_000 }, (_, i): TrafficFact => {
      const day = Math.floor(i / 1_500);
      const at = START - 6 * DAY + day * DAY;
      const origin = { source: `bot-${i}`, channel: "Referral", country: "DE" };
      return { kind: "visit", visit: `v${i}`, visitor: i + 1, at, path: "/", isFirst: true, ...origin };
    });
    await core.log.append(site, visits);
    await core.sealAll(site);
    const interval = { start: START - 6 * DAY, end: START };
    const { rows, sessions, visitors } = await overview(core, site, interval);
    expect(Object.keys(rows).length).toBeLessThanOrEqual(2 * MAX_ROWS + 1);
    expect([sessions, visitors]).toEqual([9_000, 9_000]);
  });

  it("moves a sale when a later version of the event supersedes the earlier one", async () => {
    const site = ++sites;
    let now = START + MINUTE;
    const core = analyticsOver(engine, engine.dynamo, () => now);
    const sale: ConversionFact = {
      kind: "conversion",
      id: "evt_1",
      version: 1,
      at: START,
      type: "Purchase",
      name: "Purchase",
      visitor: null,
      source: "(none)",
      channel: "Unattributed",
      value: 99_000,
      products: [],
    };
    await write(core, site, [sale]);
    now += 40 * DAY;
    await core.sealAll(site);
    await write(core, site, [{ ...sale, version: 2, visitor: 7, source: "google", channel: "Paid Search" }]);
    const moved = { "google / Paid Search": [0, 0, 0, 1, 99_000] };
    expect((await overview(core, site)).rows).toEqual(moved);
    await core.sealAll(site);
    now += DAY;
    await core.sealAll(site);
    expect((await overview(core, site)).rows).toEqual(moved);
  });

  it("reads a cube larger than an item as one, and never half of it, while it is replaced", async () => {
    const site = ++sites;
    let now = START + MINUTE;
    const core = analyticsOver(engine, engine.dynamo, () => now);
    const visit = (i: number): TrafficFact => ({
      kind: "visit",
      visit: `v${i}`,
      visitor: 1 + ((i * 2_654_435_761) % 2 ** 31), // scattered: the bitmap's worst case
      at: START,
      source: "google",
      channel: "Organic Search",
      country: "DE",
      path: "/",
      isFirst: true,
    });
    const some = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => visit(from + i));
    await core.log.append(site, some(0, 60_000));
    now += DAY;
    await core.sealAll(site);
    await core.log.append(site, some(60_000, 61_000));
    const expected = [60_000, 61_000];
    const replacing = core.sealAll(site);
    for (let i = 0; i < 5; i++) {
      const { sessions, visitors } = await overview(core, site);
      expect(expected).toContain(sessions);
      expect(expected).toContain(visitors);
    }
    await replacing;
    expect((await overview(core, site)).visitors).toBe(61_000);
  }, 60_000);
});

async function write(
  core: ReturnType<typeof analyticsOver>,
  site: number,
  facts: readonly Fact[],
): Promise<void> {
  await core.log.append(
    site,
    facts.filter((fact): fact is TrafficFact => fact.kind !== "conversion"),
  );
  for (const fact of facts) {
    if (fact.kind === "conversion")
      await transact(engine.dynamo, await core.log.conversionWrites(site, [fact]));
  }
}
