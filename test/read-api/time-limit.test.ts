import { ERRORS } from "../../shared/domain/errors";
import { QUERY_BUDGET_MS } from "../../shared/lambda/read-api/budget";
import { ask, codeOf, readApi, SITE } from "./support";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** A call that ends only when it is cancelled, as one of the SDK does. */
const untilCancelled = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(new Error("AbortError")));
  });

test("the limit is 10 seconds", () => {
  expect(QUERY_BUDGET_MS).toBe(10_000);
});

test("a query over its time is cancelled and answered with QUERY_TIMEOUT", async () => {
  const cancelled = jest.fn();
  const { endpoint } = readApi();
  const answer = ask(
    endpoint({
      query: async ({ signal }) => {
        signal.addEventListener("abort", cancelled);
        return untilCancelled(signal);
      },
    }),
  );
  await jest.advanceTimersByTimeAsync(QUERY_BUDGET_MS - 1);
  expect(cancelled).not.toHaveBeenCalled();
  await jest.advanceTimersByTimeAsync(1);
  expect(cancelled).toHaveBeenCalledTimes(1);
  expect((await answer).status).toBe(504);
  expect((await answer).json()).toEqual({ error: ERRORS.QUERY_TIMEOUT[1], code: "QUERY_TIMEOUT" });
});

test("so is one that does not heed the signal", async () => {
  const { endpoint } = readApi();
  const answer = ask(endpoint({ query: () => new Promise<never>(() => {}) }));
  await jest.advanceTimersByTimeAsync(QUERY_BUDGET_MS);
  expect(codeOf(await answer)).toBe("QUERY_TIMEOUT");
});

test("so is one whose prepared read hangs", async () => {
  const { endpoint } = readApi();
  const answer = ask(
    endpoint({
      prepare: ({ signal }) => untilCancelled(signal),
      query: async ({ prepared }) => ({ figures: await prepared }),
    }),
  );
  await jest.advanceTimersByTimeAsync(QUERY_BUDGET_MS);
  expect(codeOf(await answer)).toBe("QUERY_TIMEOUT");
});

test("a query within its time is not disturbed, and leaves no timer behind", async () => {
  const { endpoint } = readApi();
  const answer = ask(
    endpoint({
      query: async () => {
        await new Promise((resolve) => setTimeout(resolve, QUERY_BUDGET_MS - 1));
        return { figures: 1 };
      },
    }),
  );
  await jest.advanceTimersByTimeAsync(QUERY_BUDGET_MS - 1);
  expect((await answer).status).toBe(200);
  expect(jest.getTimerCount()).toBe(0);
});

test("an error of the query before its time is that error", async () => {
  const { endpoint } = readApi();
  const fails = async () => {
    throw new Error("the query failed");
  };
  expect(codeOf(await ask(endpoint({ query: fails })))).toBe("INTERNAL");
  expect(jest.getTimerCount()).toBe(0);
});

describe("what the endpoint prepares", () => {
  test("is begun before access is known and handed to the query", async () => {
    const begun = Promise.withResolvers<void>();
    const { endpoint } = readApi({
      sites: { find: () => begun.promise.then(() => SITE) }, // found only once the preparation has begun
    });
    const answer = await ask(
      endpoint({
        prepare: async ({ siteId }) => {
          begun.resolve();
          return siteId;
        },
        query: async ({ prepared }) => ({ figures: await prepared }),
      }),
    );
    expect(answer.json()).toMatchObject({ figures: 12 });
  });

  test("is cancelled and dropped when the answer is denied or already there", async () => {
    const signals: AbortSignal[] = [];
    const { endpoint } = readApi();
    const handler = endpoint({
      prepare: async ({ signal }) => {
        signals.push(signal);
      },
    });
    await ask(handler);
    await ask(handler);
    await ask(handler, "site_id=99");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
  });

  test("is not begun for a question that cannot be asked", async () => {
    const prepare = jest.fn(async () => {});
    await ask(readApi().endpoint({ prepare }), "site_id=12&period=x");
    expect(prepare).not.toHaveBeenCalled();
  });

  test("fails the request only if the query wants it", async () => {
    const { endpoint } = readApi();
    const prepare = async (): Promise<number> => {
      throw new Error("the read failed");
    };
    expect((await ask(endpoint({ prepare }))).status).toBe(200);
    const wanting = endpoint({
      name: "wanting",
      prepare,
      query: async ({ prepared }) => ({ figures: await prepared }),
    });
    expect(codeOf(await ask(wanting))).toBe("INTERNAL");
  });
});
