import { randomBytes } from "node:crypto";
import { GetItemCommand } from "@aws-sdk/client-dynamodb";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as fc from "fast-check";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import type { RollingWindow } from "../../shared/ports/rolling-window";
import type { Dynamo } from "../../shared/storage/dynamo";
import { rateWindowKey } from "../../shared/storage/read-api/ephemeral-keys";
import { createRollingWindow } from "../../shared/storage/read-api/rolling-window";
import { type Engine, startEngine } from "../support/engine";

const NOW = Date.UTC(2026, 10, 21, 12);
let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

let keys = 0;
const newKey = () => `api#key_01kb${String(keys++).padStart(22, "0")}`;
const window = (capacity = 200, windowMs = MINUTE, dynamo: Dynamo = engine.dynamo): RollingWindow =>
  createRollingWindow(dynamo, engine.tables.Ephemeral, { capacity, windowMs }, randomBytes);

/** The definition itself: remembers every request let in. */
function idealWindow(capacity: number, windowMs: number) {
  const letIn: number[] = [];
  return (now: number) => {
    const inside = letIn.filter((at) => at > now - windowMs);
    const allowed = inside.length < capacity;
    if (allowed) letIn.push(now);
    const counted = allowed ? [...inside, now] : inside;
    return { allowed, remaining: capacity - counted.length, resetAt: Math.min(...counted) + windowMs };
  };
}

/** Counts the writes that go through it. */
function counting(dynamo: Dynamo) {
  const counted = { writes: 0, dynamo };
  const send = (command: UpdateCommand) => {
    counted.writes++;
    return dynamo.send(command);
  };
  counted.dynamo = Object.create(dynamo, { send: { value: send } }) as Dynamo;
  return counted;
}

test("calls one after the other are judged as the ideal window judges them, whichever instance takes them", async () => {
  const call = fc.record({
    waitMs: fc.oneof(fc.constantFrom(0, 1, 59_999, 60_000), fc.nat(30_000)),
    instance: fc.constantFrom(0 as const, 1 as const, 2 as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 6 }),
      fc.array(call, { maxLength: 40 }),
      async (capacity, calls) => {
        const key = newKey();
        const ideal = idealWindow(capacity, MINUTE);
        const instances = [window(capacity), window(capacity), window(capacity)] as const;
        let now = NOW;
        for (const { waitMs, instance } of calls) {
          now += waitMs;
          const { retryAfterMs, ...admission } = await instances[instance].take(key, now);
          const expected = ideal(now);
          expect(admission).toEqual(expected);
          expect(retryAfterMs).toBe(expected.allowed ? 0 : expected.resetAt - now);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("a full minute at 200 is let in, the 201st request is told when the oldest leaves, and is let in just then", async () => {
  const key = newKey();
  const limit = window();
  for (let i = 0; i < 200; i++) {
    expect(await limit.take(key, NOW + i * 100)).toMatchObject({
      allowed: true,
      remaining: 199 - i,
      resetAt: NOW + MINUTE,
    });
  }
  const refused = { allowed: false, remaining: 0, resetAt: NOW + MINUTE };
  expect(await limit.take(key, NOW + 20_000)).toEqual({ ...refused, retryAfterMs: 40_000 });
  expect(await limit.take(key, NOW + MINUTE - 1)).toEqual({ ...refused, retryAfterMs: 1 });
  expect(await limit.take(key, NOW + MINUTE)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await limit.take(key, NOW + MINUTE + 99)).toMatchObject({ allowed: false, retryAfterMs: 1 });
});

test("of 50 instances at once that want 250 requests exactly 200 get through", async () => {
  const key = newKey();
  const instances = Array.from({ length: 50 }, () => window());
  const admissions = await Promise.all(
    instances.flatMap((limit) => Array.from({ length: 5 }, () => limit.take(key, NOW))),
  );
  expect(admissions.filter(({ allowed }) => allowed)).toHaveLength(200);
});

test("50 instances at once on 50 free slots are all let in, and the next is not", async () => {
  const key = newKey();
  const one = window();
  for (let i = 0; i < 150; i++) await one.take(key, NOW);
  const admissions = await Promise.all(Array.from({ length: 50 }, () => window().take(key, NOW + SECOND)));
  expect(admissions.every(({ allowed }) => allowed)).toBe(true);
  expect(await window().take(key, NOW + SECOND)).toMatchObject({ allowed: false });
});

test("keys do not share a window", async () => {
  const limit = window(1);
  expect(await limit.take(newKey(), NOW)).toMatchObject({ allowed: true });
  expect(await limit.take(newKey(), NOW)).toMatchObject({ allowed: true });
});

test("an instance alone with a key makes one write a request, and none once it saw the ring full", async () => {
  const key = newKey();
  const counted = counting(engine.dynamo);
  const limit = window(200, MINUTE, counted.dynamo);
  for (let i = 0; i < 200; i++) await limit.take(key, NOW + i);
  expect(counted.writes).toBe(200);
  for (let i = 0; i < 100; i++) await limit.take(key, NOW + SECOND + i);
  expect(counted.writes).toBe(200);
});

test("a full ring of 200 fits into 2 KB, which is two write units a request", async () => {
  const key = newKey();
  const limit = window();
  for (let i = 0; i < 200; i++) await limit.take(key, NOW + i * 137);
  const { pk, sk } = rateWindowKey(key);
  const consumed = await engine.dynamo.send(
    new UpdateCommand({
      TableName: engine.tables.Ephemeral,
      Key: { pk, sk },
      UpdateExpression: "SET #ttl = #ttl",
      ExpressionAttributeNames: { "#ttl": "ttl" },
      ReturnConsumedCapacity: "TOTAL",
    }),
  );
  expect(consumed.ConsumedCapacity?.CapacityUnits).toBe(2);
});

test("an idle window expires", async () => {
  const key = newKey();
  await window().take(key, NOW);
  const { pk, sk } = rateWindowKey(key);
  const item = await engine.dynamo.send(
    new GetItemCommand({ TableName: engine.tables.Ephemeral, Key: { pk: { S: pk }, sk: { S: sk } } }),
  );
  expect(Number(item.Item?.ttl?.N)).toBeGreaterThan((NOW + MINUTE) / SECOND);
});

test("a failing store is an error, not a verdict", async () => {
  const broken = createRollingWindow(
    engine.dynamo,
    "NoSuchTable",
    { capacity: 1, windowMs: MINUTE },
    randomBytes,
  );
  await expect(broken.take(newKey(), NOW)).rejects.toThrow();
});
