import { createCubeReader } from "../../shared/application/cube-reader";
import { createFacetBuilder } from "../../shared/application/facet-builder";
import { createSealer } from "../../shared/application/sealer";
import { createVerifier } from "../../shared/application/verifier";
import { bucketAt, QUARTER } from "../../shared/domain/analytics/bucket";
import { funnelFacet, reached } from "../../shared/domain/analytics/facets/funnel";
import { funnelFacetName } from "../../shared/domain/funnels/funnel";
import {
  type SavedFunnels,
  withChange,
  withFunnel,
  withoutFunnel,
} from "../../shared/domain/funnels/saved-funnels";
import { DAY, MINUTE } from "../../shared/domain/instant";
import { changeFunnels } from "../../shared/storage/funnels/funnels";
import { view } from "../funnels/journeys";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";

const START = Date.UTC(2026, 8, 29); // the last two days of a month and some of the next
const DAYS = 5;
const WHOLE = { start: START, end: START + DAYS * DAY };

let engine: Engine;
let sites = 0;
let site: number;
let now: number;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const core = () => analyticsOver(engine, engine.dynamo, () => now);
const draft = (second: string) => ({
  name: "Funnel",
  steps: ["/", second].map((page) => ({ name: page, matches: { page } })),
});

const change = (make: (before: SavedFunnels) => SavedFunnels) =>
  changeFunnels(
    { dynamo: engine.dynamo, tables: { config: engine.tables.Config, facts: engine.tables.Facts } },
    site,
    make,
    now,
  );
const save = () => change((before) => withFunnel(before, draft("/pricing"), now));

/** How many visitors have done each step of the site's one funnel, as it is read. */
async function answer(reader = core().reader): Promise<number[]> {
  const { funnels } = await core().funnels.of(site);
  const [cubes = []] = await reader.inOrder({ site, facets: funnels.map(funnelFacet), interval: WHOLE });
  return reached(cubes, 2);
}

/** A reader for whom reading facts is a failure. */
function readerOfCubes() {
  const { markers, cubes } = core();
  const read = () => Promise.reject(new Error("facts were read"));
  return createCubeReader({ markers, cubes, facts: { read } });
}

const build = (facet = "funnel-1-1", deadline = Number.POSITIVE_INFINITY) =>
  core().builder.build({ site, facet }, deadline);

/** Every day 10 visitors see the first page and every second of them, three quarters later, the other. */
beforeEach(async () => {
  site = ++sites;
  now = WHOLE.end + 40 * DAY;
  const { log, sealAll } = core();
  const views = Array.from({ length: DAYS * 10 }, (_, i) => {
    const at = START + Math.floor(i / 10) * DAY + i * MINUTE;
    return [view(i + 1, at, "/"), ...(i % 2 ? [view(i + 1, at + 3 * QUARTER, "/pricing")] : [])];
  });
  await log.append(site, views.flat());
  await sealAll(site);
});

const TRUTH = [DAYS * 10, DAYS * 5];

test("a funnel saved over sealed buckets answers at once, from facts, and from cubes alone once it is built", async () => {
  await save();
  expect(await answer()).toEqual(TRUTH);
  await expect(answer(readerOfCubes())).rejects.toThrow("facts were read");
  expect(await build()).toBe(true);
  expect(await answer(readerOfCubes())).toEqual(TRUTH);
  expect(await core().markers.list(site)).toEqual([]);
  const { differences, equal } = await createVerifier(core()).verify(site);
  expect(differences).toEqual([]);
  expect(equal).toBeGreaterThan(DAYS * 3);
});

test("what is built is read from cubes while the rest is still built: the latest days first, a turn at a time", async () => {
  await save();
  const turns: (number | undefined)[] = [];
  while (!(await build("funnel-1-1", now))) {
    expect(await answer()).toEqual(TRUTH);
    turns.push((await core().markers.trust(site)).builtFrom.get("funnel-1-1"));
  }
  expect(turns).toEqual([4, 3, 2, 1].map((day) => START + day * DAY));
  expect((await core().markers.trust(site)).builtFrom.get("funnel-1-1")).toBe(0);
});

test("a sealer that began before the funnel was saved seals nothing without it", async () => {
  const before = await core().facetsOf(site);
  await core().log.append(site, [view(1, START, "/pricing")]);
  const marked = (await core().markers.list(site)).map(({ bucket }) => bucket);
  now += DAY;
  await save();
  const late = createSealer({ ...core(), facetsOf: async () => before, clock: () => now });
  expect(await late.seal(site, marked)).toBe(0);
  expect((await core().markers.list(site)).map(({ bucket }) => bucket)).toEqual(marked);
  await core().sealAll(site);
  expect(await build()).toBe(true);
  expect(await answer(readerOfCubes())).toEqual(TRUTH);
});

describe("adding a cube is refused", () => {
  const add = async (version = 1) => {
    const quarter = bucketAt("quarter", START);
    return core().cubes.add(
      site,
      [{ bucket: quarter, facet: "funnel-1-1", bytes: Buffer.of(1) }],
      version,
      now,
    );
  };

  it("for a bucket that bears a marker: its sealer sees to it", async () => {
    await save();
    await core().log.append(site, [view(1, START, "/")]);
    expect(await add()).toBe(false);
  });

  it("where there is one already, which is as good or better", async () => {
    await save();
    expect([await add(), await add()]).toEqual([true, false]);
  });

  it("for a site whose funnels have changed", async () => {
    await save();
    await change((before) => withoutFunnel(before, 1));
    expect(await add()).toBe(false);
  });
});

test("a build cut short between adding a day's cubes and marking the day is taken up so that the day has them", async () => {
  await save();
  const { markers, facts, cubes, sealer, facetsOf, builds } = core();
  const mark = () => Promise.reject(new Error("the process died"));
  const dying = createFacetBuilder({
    markers,
    facts,
    cubes,
    mark,
    sealer,
    facetsOf,
    builds,
    clock: () => now,
  });
  await expect(dying.build({ site, facet: "funnel-1-1" }, Number.POSITIVE_INFINITY)).rejects.toThrow("died");
  expect(await answer()).toEqual(TRUTH);
  expect(await build()).toBe(true);
  expect(await answer(readerOfCubes())).toEqual(TRUTH);
});

test("builds at once with each other, with late facts and with sealing end in the right figures", async () => {
  await save();
  const late = Array.from({ length: 20 }, (_, i) => view(101 + i, START + i * QUARTER * 7, "/"));
  await Promise.all([
    build(),
    build(),
    ...late.map((fact) => core().log.append(site, [fact])),
    core().sealAll(site),
    build(),
  ]);
  while (!(await build()));
  now += DAY;
  await core().sealAll(site);
  expect(await answer(readerOfCubes())).toEqual([DAYS * 10 + 20, DAYS * 5]);
  expect((await createVerifier(core()).verify(site)).differences).toEqual([]);
});

test("a changed funnel answers the new question at once, and the cubes of the old one are deleted a minute later", async () => {
  await save();
  await build();
  await change((before) => withChange(before, 1, draft("/nowhere")));
  expect(await answer()).toEqual([DAYS * 10, 0]);
  const day = { level: "day", from: START, to: WHOLE.end } as const;
  await build("funnel-1-1");
  expect(await core().cubes.read(site, "funnel-1-1", day)).toHaveLength(DAYS);
  now += MINUTE;
  expect(await core().builds.due(now, 100)).toContainEqual({ site, facet: "funnel-1-1" });
  await build("funnel-1-1");
  expect(await core().cubes.read(site, "funnel-1-1", day)).toEqual([]);
  await build("funnel-1-2");
  expect(await answer(readerOfCubes())).toEqual([DAYS * 10, 0]);
  expect((await core().builds.due(now + DAY, 100)).filter((one) => one.site === site)).toEqual([]);
});

test("names are no part of the question: a renamed funnel keeps its cubes", async () => {
  await save();
  await build();
  await change((before) => withChange(before, 1, { name: "Renamed" }));
  expect((await core().funnels.of(site)).funnels.map(funnelFacetName)).toEqual(["funnel-1-1"]);
  expect(await answer(readerOfCubes())).toEqual(TRUTH);
});
