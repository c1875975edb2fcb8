import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { engineClientConfig, LOCAL_REGION } from "../../infra/local/engine/engine";
import { freePort } from "../../infra/local/engine/supervise";
import { bucketId } from "../../shared/domain/analytics/bucket";
import type { Fact } from "../../shared/domain/analytics/fact";
import { DAY, SECOND } from "../../shared/domain/instant";
import { fromMoney } from "../../shared/domain/money";
import { createApiKey } from "../../shared/storage/access/api-keys";
import { createSite } from "../../shared/storage/access/sites";
import { createFactReader } from "../../shared/storage/analytics/facts";
import { createMarkerReader } from "../../shared/storage/analytics/markers";
import { deleteAll } from "../../shared/storage/batch";
import { createReceivingWebhook } from "../../shared/storage/conversion/manage-receiving-webhooks";
import { createDynamo, type Dynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";
import { naiveOverview } from "../analytics/naive";
import { memorySecretBox } from "../support/secret-box";
import { createCrowd } from "./load";
import {
  admin,
  endpointOf,
  expectNothingLeft,
  killEngine,
  type MortalRun,
  type Place,
  startMortal,
} from "./mortal-run";
import { overview, within } from "./people";

/** How often the run is killed; more by hand: `CRASH_ROUNDS=50 npm run jest -- test/e2e/crash`. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 3);
const TEST_MS = 60 * SECOND + ROUNDS * 10 * SECOND;

let place: Place;
let run: MortalRun;
beforeEach(async () => {
  place = { dataDir: mkdtempSync(join(tmpdir(), "crash-")), port: await freePort() };
});
afterEach(async () => {
  await run?.kill();
  rmSync(place.dataDir, { recursive: true, force: true });
});

const start = () => startMortal(place, { LOCAL_DEMO: "0" });
const aWhile = (ms: number) => new Promise((wake) => setTimeout(wake, Math.random() * ms));

/** Works on the tables of the run as it is now: each has an engine of its own. */
async function onTables<Result>(
  work: (dynamo: Dynamo, tables: Readonly<Record<TableId, string>>) => Promise<Result>,
): Promise<Result> {
  const { dynamodb, tables } = endpointOf(place);
  const dynamo = createDynamo({ ...engineClientConfig(dynamodb), maxAttempts: 1 });
  try {
    return await work(dynamo, tables);
  } finally {
    dynamo.destroy();
  }
}

/** A site with a key and a webhook for purchases, in the workspace that the run begins with. */
const openSite = () =>
  onTables(async (dynamo, { Config: table }) => {
    const config = { dynamo, table };
    const [workspace, member, now] = [1, 1, Date.now()];
    const { id: site } = await createSite(config, { workspace, domain: "localhost", name: "Shop" }, now);
    const key = await createApiKey(
      config,
      { workspace, site, member, name: "Test" },
      { now, random: randomBytes },
    );
    const { token } = await createReceivingWebhook(
      { ...config, secrets: memorySecretBox(), clock: Date.now, random: randomBytes },
      { workspace, site, name: "Checkout", eventType: "Purchase" },
    );
    const baseUrl = `http://localhost:${place.port}`;
    return { baseUrl, site, key: key.value, purchases: `${baseUrl}/api/webhooks/in/${token}` };
  });

/** Has marked quarters sealed without waiting for their time, all the while, so that kills meet sealing. */
async function keepSealing(site: number, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sealOnce(site).catch(() => {}); // the run was killed
    await aWhile(300);
  }
}

async function sealOnce(site: number): Promise<void> {
  const marked = await onTables((dynamo, { Facts }) => createMarkerReader(dynamo, Facts).list(site));
  if (marked.length === 0) return;
  const body = { site, buckets: marked.map(({ bucket }) => bucketId(bucket)) };
  const { aws: endpoint } = endpointOf(place);
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const sqs = new SQSClient({ endpoint, region: LOCAL_REGION, credentials, maxAttempts: 1 });
  try {
    const QueueUrl = `${endpoint}/000000000000/RollupQueue`;
    await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
  } finally {
    sqs.destroy();
  }
}

const factsOf = (site: number): Promise<Fact[]> =>
  onTables(async (dynamo, { Facts }) => {
    const reader = createFactReader(dynamo, Facts);
    const days = await reader.days(site);
    const read = await Promise.all(days.map((day) => reader.read(site, day, day + DAY)));
    return read.flatMap((quarters) => [...quarters.values()].flat());
  });

const writtenViews = async (site: number): Promise<Set<string>> =>
  new Set((await factsOf(site)).flatMap((fact) => (fact.kind === "pageview" ? [fact.id] : [])));

const deleteCubes = () =>
  onTables(async (dynamo, { Cubes: TableName }) => {
    const { Items = [] } = await dynamo.send(new ScanCommand({ TableName, ProjectionExpression: "pk, sk" }));
    await deleteAll(dynamo, TableName, Items as { pk: string; sk: string }[]);
    return Items.length;
  });

/** The figures of the read API, counted from raw facts the slow way. */
function countedFrom(facts: readonly Fact[]) {
  const all = naiveOverview(facts, { start: 0, end: Number.POSITIVE_INFINITY });
  const { sessions, visitors, pageviews, leads, purchases, revenue, rows } = all;
  return {
    totals: { sessions, unique_visitors: visitors, pageviews, revenue: fromMoney(revenue), leads, purchases },
    by_source: inOrder(
      Object.entries(rows).map(([origin, [sessions = 0, , leads = 0, purchases = 0, money = 0]]) => {
        const [source = "", channel = ""] = origin.split(" / ");
        return { source, channel, sessions, revenue: fromMoney(money), leads, purchases };
      }),
    ),
  };
}

const inOrder = <Row extends { source: string; channel: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((a, b) => (`${a.source} ${a.channel}` < `${b.source} ${b.channel}` ? -1 : 1));

test(
  `killed ${ROUNDS} times under load it has lost no sale it answered for and no page view in the database, counts each once, and a rebuild changes nothing`,
  async () => {
    run = start();
    await run.ready;
    const shop = await openSite();
    const crowd = createCrowd(shop);
    const stop = new AbortController();
    const busy = Promise.all([crowd.send(stop.signal), keepSealing(shop.site, stop.signal)]);
    /** Until more has been answered and more has been written than before, and then some. */
    const untilBusy = async () => {
      const [views, sales] = [await writtenViews(shop.site), crowd.accepted.size];
      await within(20 * SECOND, async () => crowd.accepted.size > sales + 5);
      await within(20 * SECOND, async () => (await writtenViews(shop.site)).size > views.size + 10);
      await aWhile(500);
    };
    for (let round = 0; round < ROUNDS; round++) {
      await untilBusy();
      await run.kill();
      run = start();
      if (round % 3 === 1) {
        await aWhile(1500); // killed again, perhaps before it was up
        await run.kill();
        run = start();
      }
      await run.ready;
    }
    const seenBefore = crowd.views.length;
    await untilBusy();
    stop.abort();
    await busy;
    await crowd.settle();

    // What the collector took since the last start reaches the database; what it took before may be lost with a queue.
    await within(10 * SECOND, async () => {
      const written = await writtenViews(shop.site);
      return crowd.views.slice(seenBefore).every((id) => written.has(id));
    });
    const facts = await factsOf(shop.site);
    const { body: served } = await overview(shop, shop);
    const { totals, by_source } = served;
    expect({ totals, by_source: inOrder(by_source) }).toEqual(countedFrom(facts));
    expect([...crowd.accepted.keys()].sort()).toEqual([...crowd.sales.keys()].sort());
    expect(Math.max(...crowd.accepted.values())).toBe(1);
    const cents = [...crowd.sales.values()].reduce((sum, value) => sum + value, 0);
    expect(totals).toMatchObject({ purchases: crowd.sales.size, revenue: cents / 100 });

    const site = ["--site", String(shop.site)];
    expect(await admin(place, ["verify", ...site])).toMatchObject({ code: 0 });
    expect(await deleteCubes()).toBeGreaterThan(0);
    expect(await admin(place, ["rebuild", ...site])).toMatchObject({ code: 0 });
    expect((await overview(shop, shop)).body).toEqual(served);
    expect(await admin(place, ["verify", ...site])).toMatchObject({ code: 0 });

    await run.interrupt();
    await expectNothingLeft(place);
  },
  TEST_MS,
);

test("a run whose database is killed says so in a line, and ends", async () => {
  run = start();
  await run.ready;
  killEngine(place);
  expect(await run.ended).toBe(1);
  expect(run.said()).toMatch(/The database has ended by itself\. Start again: [^\n]*$/);
  await expectNothingLeft(place);
});
