import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STORY_DAYS, tellStory } from "../../infra/local/demo/story";
import { createStage } from "../../infra/local/demo/tell";
import { engineClientConfig, startDynamo } from "../../infra/local/engine/engine";
import { freePort } from "../../infra/local/engine/supervise";
import { type Demo, seed } from "../../infra/local/seed";
import { bucketAt, bucketEnd, bucketId } from "../../shared/domain/analytics/bucket";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { DAY, type Instant, SECOND } from "../../shared/domain/instant";
import { overviewBody as shape } from "../../shared/domain/read-api/overview";
import { createMarkerReader } from "../../shared/storage/analytics/markers";
import { createDynamo } from "../../shared/storage/dynamo";
import { analyticsOver } from "../support/analytics";
import { startEngine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";
import {
  admin,
  endpointOf,
  expectNothingLeft,
  fileOf,
  type MortalRun,
  type Place,
  startMortal,
} from "./mortal-run";
import { overview, within } from "./people";

/** How often the seeding is killed; more by hand: `CRASH_ROUNDS=20 npm run jest -- test/e2e/seeding`. */
const KILLS = Number(process.env.CRASH_ROUNDS ?? 2);
const TEST_MS = 240 * SECOND + KILLS * 10 * SECOND;
/** Until so much is told; seconds, but for a machine busy with other things. */
const PATIENCE = 120 * SECOND;

let place: Place;
let run: MortalRun;
beforeEach(async () => {
  place = { dataDir: mkdtempSync(join(tmpdir(), "seeding-")), port: await freePort() };
});
afterEach(async () => {
  await run?.kill();
  rmSync(place.dataDir, { recursive: true, force: true });
});

const start = () => startMortal(place, { LOCAL_DEMO: "1" });
const aWhile = (ms: number) => new Promise((wake) => setTimeout(wake, Math.random() * ms));

interface Told {
  readonly until: Instant;
  readonly days: number;
}
const sweeps = () => existsSync(join(place.dataDir, "logs", "SweeperFunction.log"));
const told = async () => fileOf<Told>(place, "story.json");

/** The figures of a shop whose story was told in one go. */
async function undisturbed(until: Instant) {
  const engine = await startEngine();
  try {
    const demo = await seed({
      baseUrl: "http://localhost",
      ...engine,
      secrets: memorySecretBox(),
      demo: true,
    });
    const site = demo.sites[0]?.site_id ?? 0;
    const [Purchase = "", Lead = ""] = demo.receiving_webhooks.map(({ id }) => id);
    const stage = createStage({ ...engine, site, webhooks: { Purchase, Lead } });
    for (const day of tellStory(until).days) await stage.play(day);
    const today = bucketAt("day", until);
    const interval = { start: today.start - (STORY_DAYS - 1) * DAY, end: bucketEnd(today) };
    const { reader } = analyticsOver(engine, engine.dynamo, Date.now);
    return shape(await reader.read({ site, facet: traffic, interval }));
  } finally {
    await engine.close();
  }
}

test(
  `a seeding killed ${KILLS} times goes on where it was, and ends in the figures of one left alone`,
  async () => {
    run = start();
    await aWhile(1500); // perhaps before there is anything, perhaps amid making the workspace
    await run.kill();
    run = start();
    const { until } = await within(20 * SECOND, told);
    const expected = undisturbed(until);
    const cuts = Array.from({ length: KILLS }, () => Math.random() * (STORY_DAYS - 5)).sort((a, b) => a - b);
    for (const cut of cuts) {
      await within(PATIENCE, async () => ((await told())?.days ?? 0) >= cut);
      await aWhile(150);
      await run.kill();
      expect((await told())?.days).toBeLessThan(STORY_DAYS);
      expect(sweeps()).toBe(false); // it would seal quarters that are being written
      run = start();
    }
    await run.ready;
    expect(await told()).toEqual({ until, days: STORY_DAYS });
    await within(20 * SECOND, async () => sweeps());

    const demo = fileOf<Demo>(place, "demo.json");
    const { site_id: site = 0 } = demo?.sites[0] ?? {};
    const shop = { baseUrl: `http://localhost:${place.port}`, site, key: demo?.api_key ?? "" };
    const { totals, by_source } = (await overview(shop, { ...shop, query: "&period=last_90d" })).body;
    expect({ totals, by_source }).toEqual(await expected);
    expect(totals.sessions).toBeGreaterThan(1000);
    expect(await admin(place, ["verify", "--site", String(site)])).toMatchObject({ code: 0 });
    const { out } = await admin(place, ["list-workspaces"]);
    expect(JSON.parse(out)).toHaveLength(1);

    await run.interrupt();
    await expectNothingLeft(place);
  },
  TEST_MS,
);

/** Quarters of the demo's site that are marked, in the database of a run that has ended. */
async function markedQuarters(): Promise<readonly string[]> {
  const { tables } = endpointOf(place);
  const site = fileOf<Demo>(place, "demo.json")?.sites[0]?.site_id ?? 0;
  const engine = await startDynamo({ file: join(place.dataDir, "dynamo.db") });
  const dynamo = createDynamo(engineClientConfig(engine.endpoint));
  try {
    const markers = await createMarkerReader(dynamo, tables.Facts).list(site);
    return markers.map(({ bucket }) => bucketId(bucket)).filter((id) => id.startsWith("Q"));
  } finally {
    dynamo.destroy();
    await engine.close();
  }
}

test(
  "Ctrl-C amid the seeding ends the run without a word, with no day half told",
  async () => {
    for (const day of [1, 5, 10]) {
      run = start();
      await within(PATIENCE, async () => ((await told())?.days ?? 0) >= day);
      await aWhile(150);
      await run.interrupt();
      expect(run.said()).toBe("");
      expect((await told())?.days).toBeLessThan(STORY_DAYS);
      await expectNothingLeft(place);
      expect(await markedQuarters()).toEqual([]);
    }
  },
  TEST_MS,
);
