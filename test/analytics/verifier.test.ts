import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { createVerifier } from "../../shared/application/verifier";
import { type Bucket, bucketAt, bucketId } from "../../shared/domain/analytics/bucket";
import { MAX_ROWS } from "../../shared/domain/analytics/facets/figure-table";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import type { Fact, PageviewFact, TrafficFact } from "../../shared/domain/analytics/fact";
import { DAY, HOUR } from "../../shared/domain/instant";
import { headKey } from "../../shared/storage/analytics/cube-keys";
import { markerKey } from "../../shared/storage/analytics/fact-keys";
import { transact } from "../../shared/storage/transact";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { siteFacts } from "../support/facts";

const START = Date.UTC(2026, 9, 30); // the last two days of a month and the first of the next
const NOW = START + 3 * DAY + 5 * HOUR;

let engine: Engine;
let sites = 0;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const coreAt = (now: number) => analyticsOver(engine, engine.dynamo, () => now);
const verify = (site: number) => createVerifier(coreAt(NOW)).verify(site);

async function write(site: number, facts: readonly Fact[], now = START): Promise<void> {
  const { log } = coreAt(now);
  await log.append(
    site,
    facts.filter((fact): fact is TrafficFact => fact.kind !== "conversion"),
  );
  for (const fact of facts.filter((one) => one.kind === "conversion")) {
    await transact(engine.dynamo, await log.conversionWrites(site, [fact]));
  }
}

const pageview = (id: string, at: number, source = "google"): PageviewFact => ({
  ...{ kind: "pageview", id, at, path: "/", visit: `visit-${id}`, visitor: 1 },
  ...{ source, channel: "Paid Search", country: "DE" },
});

/** A site with a page view on each of three days, all sealed. */
async function sealedSite(): Promise<number> {
  const site = ++sites;
  await write(
    site,
    [1, 2, 3].map((n) => pageview(`p${n}`, START + (n - 1) * DAY + HOUR)),
  );
  await coreAt(NOW).sealAll(site);
  return site;
}

/** Of the facet the tests falsify; others differ with it where facts are missed. */
const bucketsIn = (differences: readonly { facet: string; bucket: Bucket }[]) =>
  differences.filter(({ facet }) => facet === traffic.name).map(({ bucket }) => bucketId(bucket));

const setCube = (site: number, bucket: Bucket, cube: Uint8Array) =>
  engine.dynamo.send(
    new PutCommand({
      TableName: engine.tables.Cubes,
      Item: { ...headKey(site, traffic.name, bucket), cube },
    }),
  );

const cubeOf = async (site: number, bucket: Bucket) => {
  const run = { level: bucket.level, from: bucket.start, to: bucket.start + 1 };
  const [found] = await coreAt(NOW).cubes.read(site, traffic.name, run);
  if (!found) throw new Error("no cube");
  return found.bytes;
};

it("finds any site equal, however much of it is sealed", async () => {
  await fc.assert(
    fc.asyncProperty(siteFacts(START, NOW), fc.integer({ min: START, max: NOW }), async (facts, sealedAt) => {
      const site = ++sites;
      await write(site, facts);
      await coreAt(sealedAt).sealAll(site);
      expect(await verify(site)).toMatchObject({ differences: [] });
    }),
    { numRuns: 15 },
  );
});

it("names the day whose cube is not that of its facts", async () => {
  const site = await sealedSite();
  const second = bucketAt("day", START + DAY);
  const cube = traffic.decode(await cubeOf(site, second));
  await setCube(site, second, traffic.encode(traffic.merge([cube, cube])));
  expect(bucketsIn((await verify(site)).differences)).toEqual(["D2026-10-31"]);
});

it("names the month whose cube is not that of its days", async () => {
  const site = await sealedSite();
  const october = bucketAt("month", START);
  await setCube(site, october, await cubeOf(site, bucketAt("day", START)));
  const { differences } = await verify(site);
  expect(bucketsIn(differences)).toEqual(["M2026-10"]);
  expect(differences[0]?.served).not.toEqual(differences[0]?.counted);
});

it("finds a fact that lies under no mark, until a rebuild", async () => {
  const site = await sealedSite();
  await write(site, [pageview("late", START + 2 * HOUR)]);
  const Key = markerKey(site, bucketAt("quarter", START + 2 * HOUR));
  await engine.dynamo.send(new DeleteCommand({ TableName: engine.tables.Facts, Key }));
  expect(bucketsIn((await verify(site)).differences)).toEqual([
    "Q2026-10-30T02:00",
    "D2026-10-30",
    "M2026-10",
  ]);
  await coreAt(NOW).rebuilder.rebuild(site);
  const rebuilt = await verify(site);
  expect(rebuilt.differences).toEqual([]);
  expect(rebuilt.equal).toBeGreaterThanOrEqual(4 + 3 + 1); // quarters, days, the month that is over
});

it("finds a bucket equal that keeps its largest rows only, also while it is marked again", async () => {
  const site = ++sites;
  const flood = Array.from({ length: MAX_ROWS + 50 }, (_, n) =>
    pageview(`f${n}`, START + (n % 2) * HOUR, `source-${n}`),
  );
  await write(site, flood);
  await coreAt(NOW).sealAll(site);
  expect((await verify(site)).differences).toEqual([]);
  await write(site, [pageview("late", START + HOUR)], NOW);
  expect((await verify(site)).differences).toEqual([]);
});

it("has nothing to say of a site without facts", async () => {
  await expect(verify(++sites)).resolves.toEqual({ equal: 0, differences: [] });
});
