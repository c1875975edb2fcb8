import { ERRORS } from "../../shared/domain/errors";
import { MINUTE } from "../../shared/domain/instant";
import { ask, codeOf, granted, NOW, REFUSED, readApi } from "./support";

const quota = { "ratelimit-limit": "200", "ratelimit-remaining": "199", "ratelimit-reset": "60" };

test.each([
  ["an answer", "site_id=12", 200],
  ["a missing site", "", 400],
  ["a denied site", "site_id=99", 403],
  ["a bad date", "site_id=12&from=x&to=y", 400],
])("%s is counted and says what is left", async (_, query, status) => {
  const { world, endpoint } = readApi();
  const answer = await ask(endpoint(), query);
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject(quota);
  expect(world.counted).toEqual(["api#key_1"]);
});

test("so is an answer from the cache", async () => {
  const { world, endpoint } = readApi();
  const handler = endpoint();
  await ask(handler);
  const answer = await ask(handler);
  expect(answer.headers).toMatchObject({ ...quota, "x-cache": "HIT" });
  expect(world.counted).toHaveLength(2);
});

test("so are a failure and a timeout", async () => {
  const { endpoint } = readApi({ queryBudgetMs: 1 });
  const fails = async () => {
    throw new Error("the query failed");
  };
  const failure = await ask(endpoint({ query: fails }));
  const timeout = await ask(endpoint({ query: () => new Promise<never>(() => {}) }));
  expect([failure.status, timeout.status]).toEqual([500, 504]);
  expect(failure.headers).toMatchObject(quota);
  expect(timeout.headers).toMatchObject(quota);
});

test("each key has its own quota", async () => {
  const { world, endpoint } = readApi();
  await ask(endpoint(), "site_id=12", { verdict: granted("all", "key_2") });
  expect(world.counted).toEqual(["api#key_2"]);
});

describe("a refused request", () => {
  test("is told when to try again, in whole seconds and not too early", async () => {
    const { world, endpoint } = readApi();
    world.admission = REFUSED; // 1.5 s to go
    const answer = await ask(endpoint());
    expect(answer.status).toBe(429);
    expect(answer.json()).toEqual({ error: ERRORS.RATE_LIMITED[1], code: "RATE_LIMITED" });
    expect(answer.headers).toMatchObject({
      "ratelimit-limit": "200",
      "ratelimit-remaining": "0",
      "ratelimit-reset": "2",
      "retry-after": "2",
    });
  });

  test("waits for nothing else and computes nothing", async () => {
    const never = () => new Promise<never>(() => {});
    const { world, endpoint } = readApi({ sites: { find: never }, cache: { read: never, write: never } });
    world.admission = REFUSED;
    expect(codeOf(await ask(endpoint({ prepare: never })))).toBe("RATE_LIMITED");
    expect(world.computed).toBe(0);
  });

  test("cancels what it had begun", async () => {
    const { world, endpoint } = readApi();
    world.admission = REFUSED;
    const signals: AbortSignal[] = [];
    const prepare = async ({ signal }: { signal: AbortSignal }) => signals.push(signal);
    await ask(endpoint({ prepare }));
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

test("a limit that cannot be kept is a failure on our side, not an open door", async () => {
  const { world, endpoint } = readApi({
    rateLimit: {
      take: async () => {
        throw new Error("throttled");
      },
    },
  });
  expect(codeOf(await ask(endpoint()))).toBe("INTERNAL");
  expect(world.computed).toBe(0);
});

test("a window that has just begun resets in at most 60 seconds", async () => {
  const { world, endpoint } = readApi();
  world.admission = { allowed: true, remaining: 0, resetAt: NOW + MINUTE - 59_999, retryAfterMs: 0 };
  expect((await ask(endpoint())).headers).toMatchObject({
    "ratelimit-remaining": "0",
    "ratelimit-reset": "1",
  });
});
