import { randomBytes } from "node:crypto";
import { PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { bucketAt } from "../../shared/domain/analytics/bucket";
import { DAY, HOUR } from "../../shared/domain/instant";
import type { CubeSlice } from "../../shared/ports/analytics";
import { againWhileTorn, TornCubeError } from "../../shared/ports/torn-cube";
import { LAYOUT, type LayoutSizes } from "../../shared/storage/analytics/cube-layout";
import { createCubeStore } from "../../shared/storage/analytics/cubes";
import { markerKey } from "../../shared/storage/analytics/fact-keys";
import { MOST_GETS } from "../../shared/storage/batch-get";
import type { Dynamo } from "../../shared/storage/dynamo";
import { type Engine, startEngine } from "../support/engine";

/** The contract of a store whose cubes can be read in part. */

const START = Date.UTC(2024, 4, 1);
const RUN = { level: "day", from: START, to: START + 20 * DAY } as const;
const FACET = "pages";
/** So small that a cube of some hundred bytes is laid out in every way there is. */
const SMALL: LayoutSizes = { maxPartBytes: 100, maxInlineBodyBytes: 20, bodyPartBytes: 16 };

let engine: Engine;
let sites = 0;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const storeOver = (sizes: Partial<LayoutSizes> = SMALL, dynamo: Dynamo = engine.dynamo) =>
  createCubeStore({
    dynamo,
    tables: { cubes: engine.tables.Cubes, facts: engine.tables.Facts, config: engine.tables.Config },
    random: randomBytes,
    sizes,
  });

interface Cube {
  readonly bytes: Uint8Array;
  readonly head: number;
}

const cubeOf = (head: number, body: number): Cube => ({ bytes: randomBytes(head + body), head });

/** Seals days from START on, in one transaction. */
async function seal(site: number, cubes: readonly Cube[], { now = START + 30 * DAY, sizes = SMALL } = {}) {
  const sealed = cubes.map((cube, i) => ({
    bucket: bucketAt("day", START + i * DAY),
    nonce: "n",
    cubes: [{ facet: FACET, ...cube }],
  }));
  for (const { bucket } of sealed) {
    const marker = { ...markerKey(site, bucket), nonce: "n" };
    await engine.dynamo.send(new PutCommand({ TableName: engine.tables.Facts, Item: marker }));
  }
  expect(await storeOver(sizes).seal(site, sealed, 0, now)).toBe(true);
}

/** How many parts there are of a site's cubes. */
async function countParts(site: number): Promise<number> {
  const { Count } = await engine.dynamo.send(
    new QueryCommand({
      TableName: engine.tables.Cubes,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": `P#${site}#${FACET}` },
      Select: "COUNT",
    }),
  );
  return Count ?? 0;
}

interface Request {
  readonly constructor: { readonly name: string };
  readonly input: { RequestItems?: Record<string, { Keys: unknown[] }> };
}

/** A client whose batch reads are carried out by `instead`. */
const interposed = (instead: (request: Request, send: () => Promise<unknown>) => Promise<unknown>): Dynamo =>
  new Proxy(engine.dynamo, {
    get: (target, name) =>
      name !== "send"
        ? Reflect.get(target, name)
        : (request: Request, options: unknown) => {
            const send = () => (target.send as (...args: unknown[]) => Promise<unknown>)(request, options);
            return request.constructor.name === "BatchGetCommand" ? instead(request, send) : send();
          },
  });

const size = fc.integer({ min: 0, max: 250 });
const shapes = fc.array(fc.tuple(fc.integer({ min: 1, max: 250 }), size), { minLength: 1, maxLength: 5 });

describe("a cube of which a part can be read", () => {
  it("comes back whole, by its head, and in any slices, however it is laid out", async () => {
    await fc.assert(
      fc.asyncProperty(shapes, fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat())), async (shapes, cuts) => {
        const site = ++sites;
        const cubes = shapes.map(([head, body]) => cubeOf(head, body));
        await seal(site, cubes);
        const store = storeOver();
        expect((await store.read(site, FACET, RUN)).map(({ bytes }) => Buffer.from(bytes))).toEqual(
          cubes.map(({ bytes }) => bytes),
        );
        const heads = await store.readHeads(site, FACET, RUN);
        expect(heads.map(({ bucket }) => bucket)).toEqual(
          cubes.map((_, i) => bucketAt("day", START + i * DAY)),
        );
        heads.forEach(({ bytes, body }, i) => {
          const { head = 0, bytes: whole } = cubes[i] ?? {};
          expect(Buffer.from(bytes)).toEqual(whole?.subarray(0, body ? head : undefined));
        });
        const slices = cuts.flatMap(([which, a, b]): (CubeSlice & { expected: Uint8Array })[] => {
          const cube = heads[which % heads.length];
          const { bytes, head } = cubes[which % heads.length] ?? cubeOf(0, 0);
          if (!cube || bytes.length === head) return [];
          const [from, to] = [a, b].map((n) => head + (n % (bytes.length - head + 1))).sort((x, y) => x - y);
          if (from === undefined || to === undefined || from === to) return [];
          return [{ cube, from, to, expected: bytes.subarray(from, to) }];
        });
        const read = await store.readSlices(site, FACET, slices);
        expect([...read.values()].map((bytes) => Buffer.from(bytes))).toEqual(
          slices.map(({ expected }) => expected),
        );
      }),
      { numRuns: 60 },
    );
  }, 60_000);

  it("has its body in its item while that is small, else beside it, in parts of no more than 8 read units", async () => {
    const site = ++sites;
    await seal(site, [cubeOf(10_000, LAYOUT.maxInlineBodyBytes)], { sizes: LAYOUT });
    expect(await countParts(site)).toBe(0);
    await seal(site, [cubeOf(10_000, 100_000)], { sizes: LAYOUT });
    expect(await countParts(site)).toBe(4);
    const { Items = [] } = await engine.dynamo.send(
      new QueryCommand({
        TableName: engine.tables.Cubes,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": `P#${site}#${FACET}` },
      }),
    );
    for (const { pk, sk, part } of Items) {
      expect(`pkskpart${pk}${sk}`.length + part.length).toBeLessThanOrEqual(8 * 4_096);
    }
  });

  it("fits the transaction with others however large their heads are together", async () => {
    const site = ++sites;
    const cubes = Array.from({ length: 15 }, () => cubeOf(340_000, 40_000));
    await seal(site, cubes, { sizes: LAYOUT });
    const heads = await storeOver(LAYOUT).readHeads(site, FACET, RUN);
    expect(heads.map(({ bytes }) => bytes.length)).toEqual(cubes.map(() => 340_000));
  }, 60_000);
});

describe("slices of many cubes", () => {
  it("are read by as many batches as it takes, side by side, and what a batch leaves undone is asked for again", async () => {
    const site = ++sites;
    const cubes = Array.from({ length: 3 }, () => cubeOf(30, 2_000));
    await seal(site, cubes);
    let underWay = 0;
    let atOnce = 0;
    let asked = 0;
    const dynamo = interposed(async (request, send) => {
      const { Keys: keys = [] } = request.input.RequestItems?.[engine.tables.Cubes] ?? {};
      expect(keys.length).toBeLessThanOrEqual(MOST_GETS);
      atOnce = Math.max(atOnce, ++underWay);
      const undone = asked++ % 2 ? [] : keys.splice(1);
      try {
        const answer = (await send()) as object;
        return undone.length
          ? { ...answer, UnprocessedKeys: { [engine.tables.Cubes]: { Keys: undone } } }
          : answer;
      } finally {
        underWay--;
      }
    });
    const store = storeOver(SMALL, dynamo);
    const slices = (await store.readHeads(site, FACET, RUN)).map((cube) => ({ cube, from: 30, to: 2_030 }));
    const read = await store.readSlices(site, FACET, slices);
    expect([...read.values()].map((bytes) => Buffer.from(bytes))).toEqual(
      cubes.map(({ bytes }) => bytes.subarray(30)),
    );
    expect(atOnce).toBeGreaterThan(3);
  });

  it("read each part once, whatever number of slices lie in it, and no other", async () => {
    const site = ++sites;
    await seal(site, [cubeOf(30, 2_000)]);
    let keys = 0;
    const dynamo = interposed((request, send) => {
      keys += request.input.RequestItems?.[engine.tables.Cubes]?.Keys.length ?? 0;
      return send();
    });
    const store = storeOver(SMALL, dynamo);
    const [cube] = await store.readHeads(site, FACET, RUN);
    if (!cube) throw new Error("no cube");
    const slices = [30, 35, 50].map((from) => ({ cube, from, to: from + 5 }));
    await store.readSlices(site, FACET, slices);
    expect(keys).toBe(2);
  });

  it("end when the answer is no longer wanted", async () => {
    const site = ++sites;
    await seal(site, [cubeOf(30, 100)]);
    const store = storeOver();
    const slices = (await store.readHeads(site, FACET, RUN)).map((cube) => ({ cube, from: 30, to: 40 }));
    const signal = AbortSignal.abort();
    await expect(store.readSlices(site, FACET, slices, signal)).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("a cube replaced between the reading of its head and of its slices", () => {
  const slicesOf = async (site: number) =>
    (await storeOver().readHeads(site, FACET, RUN)).map((cube) => ({ cube, from: 30, to: 90 }));

  it("is read as it was while its parts are there", async () => {
    const site = ++sites;
    const old = cubeOf(30, 60);
    await seal(site, [old]);
    const slices = await slicesOf(site);
    await seal(site, [cubeOf(30, 60)]);
    const [read] = (await storeOver().readSlices(site, FACET, slices)).values();
    expect(Buffer.from(read ?? [])).toEqual(old.bytes.subarray(30));
  });

  it("is said to be torn once they are swept, and read anew it is the newer one", async () => {
    const site = ++sites;
    await seal(site, [cubeOf(30, 60)]);
    const young = cubeOf(30, 60);
    let reads = 0;
    const attempt = async () => {
      const slices = await slicesOf(site);
      if (++reads === 1) {
        await seal(site, [young], { now: START + 30 * DAY + 2 * HOUR }); // sweeps what is an hour old
        await expect(storeOver().readSlices(site, FACET, slices)).rejects.toThrow(TornCubeError);
      }
      return storeOver().readSlices(site, FACET, slices);
    };
    const [read] = (await againWhileTorn(attempt)).values();
    expect(reads).toBe(2);
    expect(Buffer.from(read ?? [])).toEqual(young.bytes.subarray(30));
    expect(await countParts(site)).toBe(4);
  });

  it("leaves no parts behind once it has been sealed again", async () => {
    const site = ++sites;
    for (let hours = 0; hours < 10; hours += 2) {
      await seal(site, [cubeOf(150, 100)], { now: START + 30 * DAY + hours * HOUR });
    }
    expect(await countParts(site)).toBe(2 + 7);
  });
});
