import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { SQSEvent } from "aws-lambda";
import { rollupHandler } from "../../functions/rollup/handler";
import { sweeperHandler } from "../../functions/sweeper/handler";
import { createSealer, SealingError } from "../../shared/application/sealer";
import { type Bucket, bucketAt, bucketId, QUARTER } from "../../shared/domain/analytics/bucket";
import type { Facet } from "../../shared/domain/analytics/facets/facet";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import type { TrafficFact } from "../../shared/domain/analytics/fact";
import { DAY, HOUR } from "../../shared/domain/instant";
import { blockKey } from "../../shared/storage/analytics/fact-keys";
import { createSealingSchedule } from "../../shared/storage/analytics/markers";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";

const START = Date.UTC(2024, 4, 10, 8);
const QUARTERS = Array.from({ length: 12 }, (_, i): Bucket => bucketAt("quarter", START + i * QUARTER));
const day = bucketAt("day", START);
const now = START + 3 * DAY;

let engine: Engine;
let sites = 200;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const visit = ({ start }: Bucket): TrafficFact => ({
  ...{ kind: "visit", visit: `v${start}`, visitor: 1, at: start, path: "/", isFirst: true },
  ...{ source: "(direct)", channel: "Direct", country: "DE" },
});

/** A site with a visit in each of the quarters, all of them marked and over. */
async function siteToSeal() {
  const site = ++sites;
  const core = analyticsOver(engine, engine.dynamo, () => now);
  await core.log.append(site, QUARTERS.map(visit));
  const marked = async () => (await core.markers.list(site)).map(({ bucket }) => bucketId(bucket));
  return { site, core, marked };
}

async function spoil(site: number, quarter: Bucket): Promise<void> {
  const Item = { ...blockKey(site, quarter.start, "blk_0"), block: Uint8Array.of(7, 7, 7) };
  await engine.dynamo.send(new PutCommand({ TableName: engine.tables.Facts, Item }));
}

describe("a bucket that cannot be sealed", () => {
  it("keeps no other from being sealed, stays marked, and is named", async () => {
    const { site, core, marked } = await siteToSeal();
    const [, , , , spoiled = day] = QUARTERS;
    await spoil(site, spoiled);
    const error = await core.sealer.seal(site, [...QUARTERS, day]).catch((error) => error);
    expect(error).toBeInstanceOf(SealingError);
    expect((error as SealingError).failures.map(({ bucket }) => bucket)).toEqual([spoiled]);
    expect(await marked()).toEqual([bucketId(spoiled), bucketId(day)]);
  });

  it("is put off for an hour and left to the queue, which tries it again and in the end reports it", async () => {
    const { site, core } = await siteToSeal();
    const [spoiled = day] = QUARTERS;
    await spoil(site, spoiled);
    const schedule = createSealingSchedule(engine.dynamo, engine.tables.Facts);
    const handler = rollupHandler({ sealer: core.sealer, schedule, clock: () => now });
    const due = async (at: number) =>
      (await schedule.due(at, 500)).filter((one) => one.site === site).map(({ bucket }) => bucket);
    expect(await due(now + 20 * DAY)).toHaveLength(12);

    const body = JSON.stringify({ site, buckets: QUARTERS.map(bucketId) });
    const attributes = { ApproximateReceiveCount: "1" };
    const event = { Records: [{ messageId: "m1", body, attributes }] } as unknown as SQSEvent;
    expect(await handler(event, {} as never)).toEqual({ batchItemFailures: [{ itemIdentifier: "m1" }] });
    expect(await due(now + HOUR - 1)).toEqual([day]);
    expect(await due(now + HOUR)).toEqual([day, spoiled]);
  });

  it("is not marked anew by being put off when it was sealed meanwhile", async () => {
    const { site, core, marked } = await siteToSeal();
    await core.sealAll(site);
    await createSealingSchedule(engine.dynamo, engine.tables.Facts).postpone(site, day, now);
    expect(await marked()).not.toContain(bucketId(day));
  });
});

describe("sealing more than a transaction holds", () => {
  const sealerOf = (core: ReturnType<typeof analyticsOver>, facets: readonly Facet<unknown>[]) =>
    createSealer({ ...core, facetsOf: async () => ({ version: 0, facets }), clock: () => now });
  const facetsNamed = (count: number, cube: Partial<Facet<unknown>> = {}) =>
    Array.from({ length: count }, (_, i) => ({ ...traffic, ...cube, name: `f${i}` }) as Facet<unknown>);

  it("seals a dozen quarters of a site with fifty funnels: more than 100 items", async () => {
    const { site, core, marked } = await siteToSeal();
    expect(await sealerOf(core, facetsNamed(56)).seal(site, QUARTERS)).toBe(12);
    expect(await marked()).toEqual([bucketId(day)]);
  });

  it("seals one bucket whose cubes are more than 4 MB together, and reads each of them back", async () => {
    const { site, core, marked } = await siteToSeal();
    const large = Buffer.alloc(300_000, 1);
    const facets = facetsNamed(20, { encode: () => large });
    expect(await sealerOf(core, facets).seal(site, QUARTERS.slice(0, 1))).toBe(1);
    expect(await marked()).not.toContain(bucketId(QUARTERS[0] ?? day));
    for (const { name } of facets) {
      const [cube] = await core.cubes.read(site, name, {
        ...{ level: "quarter", from: START, to: START + QUARTER },
      });
      expect(Buffer.from(cube?.bytes ?? []).equals(large)).toBe(true);
    }
  });
});

describe("the sweeper", () => {
  it("sends what is due by site, few enough buckets in a message for a worker to seal within its time", async () => {
    const sent: { site: number; buckets: readonly string[] }[] = [];
    const days = Array.from({ length: 100 }, (_, i) => bucketAt("day", START + i * DAY));
    const sweep = sweeperHandler({
      links: { due: async () => [] },
      lookUps: { send: async () => {} },
      schedule: {
        due: async () => [
          ...days.map((bucket) => ({ site: 1, bucket })),
          ...QUARTERS.map((bucket) => ({ site: 2, bucket })),
        ],
      },
      builds: { due: async () => [] },
      outbox: { due: async () => [] },
      rollups: {
        send: async (message) => {
          sent.push(message);
        },
      },
      backfills: { send: async () => {} },
      announcements: { send: async () => {} },
      clock: () => now,
    });
    await sweep();
    expect(Math.max(...sent.map(({ buckets }) => buckets.length))).toBeLessThanOrEqual(48);
    const of = (wanted: number) =>
      sent.filter(({ site }) => site === wanted).flatMap(({ buckets }) => buckets);
    expect(of(1)).toEqual(days.map(bucketId));
    expect(of(2)).toEqual(QUARTERS.map(bucketId));
  });
});
