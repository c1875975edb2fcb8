import { randomBytes } from "node:crypto";
import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as fc from "fast-check";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import { cachedAnswerKey } from "../../shared/storage/read-api/ephemeral-keys";
import { createResponseCache } from "../../shared/storage/read-api/response-cache";
import { type Engine, startEngine } from "../support/engine";

const NOW = Date.UTC(2026, 10, 21, 12);
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

let keys = 0;
const newKey = () => `overview#${keys++}`;
const cache = () => createResponseCache(engine.dynamo, engine.tables.Ephemeral);
/** Text that does not compress below `bytes`. */
const incompressible = (bytes: number) => randomBytes(bytes).toString("latin1");

const setPart = (key: string, part: number, name: string, value: unknown) =>
  engine.dynamo.send(
    new UpdateCommand({
      TableName: engine.tables.Ephemeral,
      Key: cachedAnswerKey(key, part),
      UpdateExpression: "SET #name = :value",
      ExpressionAttributeNames: { "#name": name },
      ExpressionAttributeValues: { ":value": value },
    }),
  );

test("any text comes back as it was written", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme", maxLength: 2_000 }), async (text) => {
      const key = newKey();
      await cache().write(key, text, NOW);
      expect(await cache().read(key, NOW)).toBe(text);
    }),
    { numRuns: 30 },
  );
});

test("nothing kept reads as null", async () => {
  expect(await cache().read(newKey(), NOW)).toBeNull();
});

test("an answer is fresh for 60 seconds from the moment its figures were true, though its item is still there", async () => {
  const key = newKey();
  await cache().write(key, "figures", NOW);
  expect(await cache().read(key, NOW + MINUTE - 1)).toBe("figures");
  expect(await cache().read(key, NOW + MINUTE)).toBeNull();
});

test("its item expires soon after", async () => {
  const key = newKey();
  await cache().write(key, "figures", NOW);
  const { Item } = await engine.dynamo.send(
    new GetCommand({ TableName: engine.tables.Ephemeral, Key: cachedAnswerKey(key, 0) }),
  );
  expect(Item?.ttl).toBe((NOW + MINUTE) / SECOND);
});

test("a slow answer does not replace one with more recent figures", async () => {
  const key = newKey();
  await cache().write(key, "recent", NOW + SECOND);
  await cache().write(key, "slow", NOW);
  expect(await cache().read(key, NOW + SECOND)).toBe("recent");
  await cache().write(key, "newer", NOW + 2 * SECOND);
  expect(await cache().read(key, NOW + 2 * SECOND)).toBe("newer");
});

describe("an answer larger than an item", () => {
  test("is kept in several", async () => {
    const key = newKey();
    const text = incompressible(1_500_000);
    await cache().write(key, text, NOW);
    expect(await cache().read(key, NOW)).toBe(text);
  });

  test("is not served with a piece missing, or a piece of another answer", async () => {
    const key = newKey();
    await cache().write(key, incompressible(1_000_000), NOW);
    await setPart(key, 1, "as_of", NOW + 1);
    expect(await cache().read(key, NOW)).toBeNull();
    await setPart(key, 1, "as_of", NOW);
    await engine.dynamo.send(
      new DeleteCommand({ TableName: engine.tables.Ephemeral, Key: cachedAnswerKey(key, 2) }),
    );
    expect(await cache().read(key, NOW)).toBeNull();
  });

  test("is replaced by a small one, and the other way round", async () => {
    const key = newKey();
    const large = incompressible(900_000);
    await cache().write(key, large, NOW);
    await cache().write(key, "small", NOW + 1);
    expect(await cache().read(key, NOW + 1)).toBe("small");
    await cache().write(key, large, NOW + 2);
    expect(await cache().read(key, NOW + 2)).toBe(large);
  });

  test("written by several at once reads as one of them or as nothing, never as a mixture", async () => {
    const key = newKey();
    const texts = [incompressible(800_000), incompressible(800_000), incompressible(800_000)];
    await Promise.all(texts.map((text) => cache().write(key, text, NOW)));
    expect([...texts, null]).toContain(await cache().read(key, NOW));
  });

  test("beyond what a function can answer is not kept", async () => {
    const key = newKey();
    await cache().write(key, incompressible(8_000_000), NOW);
    expect(await cache().read(key, NOW)).toBeNull();
  });
});

test.each([
  ["bytes", new Uint8Array()],
  ["bytes", new Uint8Array([1, 2, 3])],
  ["bytes", "text"],
  ["parts", 0],
  ["parts", 1e9],
  ["as_of", "yesterday"],
])("a broken entry (%s = %p) reads as nothing kept", async (name, value) => {
  const key = newKey();
  await cache().write(key, "figures", NOW);
  await setPart(key, 0, name, value);
  expect(await cache().read(key, NOW)).toBeNull();
});

test("a failing store is an error for the caller to make harmless", async () => {
  const broken = createResponseCache(engine.dynamo, "NoSuchTable");
  await expect(broken.read("key", NOW)).rejects.toThrow();
  await expect(broken.write("key", "text", NOW)).rejects.toThrow();
});
