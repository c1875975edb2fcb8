import { randomBytes } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { READ_RATE_LIMIT } from "../../shared/lambda/read-api/admission";
import { createResponseCache } from "../../shared/storage/read-api/response-cache";
import { createRollingWindow } from "../../shared/storage/read-api/rolling-window";
import { type Engine, startEngine } from "../support/engine";
import { ask, codeOf, granted, readApi } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** One instance of a function: a memory of its own, the tables of all. */
const instance = () =>
  readApi({
    rateLimit: createRollingWindow(engine.dynamo, engine.tables.Ephemeral, READ_RATE_LIMIT, randomBytes),
    cache: createResponseCache(engine.dynamo, engine.tables.Ephemeral),
  });

test("of 250 requests at once from 50 instances 200 are answered and 50 refused, each told when to come again", async () => {
  const verdict = granted("all", "key_busy");
  const handlers = Array.from({ length: 50 }, () => instance().endpoint());
  const answers = await Promise.all(
    Array.from({ length: 250 }, (_, i) => ask(handlers[i % 50] ?? fail, "site_id=12", { verdict })),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(200);
  expect(refused).toHaveLength(50);
  for (const { headers } of refused) {
    expect(headers).toMatchObject({ "ratelimit-remaining": "0", "retry-after": "60" });
  }
});

test("an answer computed by one instance is served by another, until it is a minute old", async () => {
  const [one, two] = [instance(), instance()];
  const query = "site_id=13";
  const computed = await ask(one.endpoint(), query);
  two.world.now += READ_RATE_LIMIT.windowMs - 1;
  const served = await ask(two.endpoint(), query);
  two.world.now += 1;
  const again = await ask(two.endpoint(), query);
  expect([computed, served, again].map(({ headers }) => headers["x-cache"])).toEqual(["MISS", "HIT", "MISS"]);
  expect(served.text).toBe(computed.text);
});

test("a query out of time really ends its calls to the store", async () => {
  const api = instance();
  const ended = Promise.withResolvers<unknown>();
  const slow = readApi({ ...api.dependencies, queryBudgetMs: 1 });
  const answer = await ask(
    slow.endpoint({
      name: "slow",
      query: async ({ signal }) => {
        for (;;) {
          const command = new GetCommand({ TableName: engine.tables.Cubes, Key: { pk: "x", sk: "x" } });
          await engine.dynamo.send(command, { abortSignal: signal }).catch((error: unknown) => {
            ended.resolve(error);
            throw error;
          });
        }
      },
    }),
  );
  expect(codeOf(answer)).toBe("QUERY_TIMEOUT");
  expect(await ended.promise).toMatchObject({ name: "AbortError" });
});

const fail = () => Promise.reject(new Error("no such instance"));
