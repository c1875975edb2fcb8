import { MINUTE, SECOND } from "../../shared/domain/instant";
import { clampedInteger } from "../../shared/domain/read-api/parameters";
import { ask, codeOf, granted, readApi } from "./support";

const NO_CACHE = { headers: { "cache-control": "no-cache" } };

test("the same question is computed once a minute", async () => {
  const { world, endpoint } = readApi();
  const handler = endpoint();
  const first = await ask(handler);
  world.now += MINUTE - 1;
  const second = await ask(handler);
  world.now += 1;
  const third = await ask(handler);
  expect([first, second, third].map(({ headers }) => headers["x-cache"])).toEqual(["MISS", "HIT", "MISS"]);
  expect(second.text).toBe(first.text);
  expect(world.computed).toBe(2);
});

test("functions share it, endpoints do not", async () => {
  const { endpoint } = readApi();
  await ask(endpoint());
  expect((await ask(endpoint())).headers["x-cache"]).toBe("HIT");
  expect((await ask(endpoint({ name: "other" }))).headers["x-cache"]).toBe("MISS");
});

describe("what counts is the site and the parameters as used", () => {
  const limit = clampedInteger({ description: "", min: 1, max: 100, fallback: 25 });
  const base = "site_id=12&from=2026-10-23&to=2026-11-21";
  const ask2 = async (query: string, verdict = granted()) => {
    const handler = readApi().endpoint({ parameters: { limit } });
    await ask(handler, base);
    return (await ask(handler, query, { verdict })).headers["x-cache"];
  };

  test.each([
    ["the order of parameters", "to=2026-11-21&from=2026-10-23&site_id=12"],
    ["an unknown parameter", `${base}&utm_source=x`],
    ["start_date and end_date", `${base}&start_date=2026-01-01&end_date=2026-01-02`],
    ["the default zone", `${base}&timezone=UTC`],
    ["the zone in another case", `${base}&timezone=utc`],
    ["the period of the same days", "site_id=12&period=last_30d"],
    ["no range, where the default is the same days", "site_id=12"],
    ["the default limit", `${base}&limit=25`],
    ["a limit that becomes the default", `${base}&limit=many`],
  ])("%s makes no difference", async (_, query) => {
    expect(await ask2(query)).toBe("HIT");
  });

  test("another key that may read the site makes no difference", async () => {
    expect(await ask2(base, granted([12], "key_2"))).toBe("HIT");
  });

  test.each([
    ["another site", base.replace("12&", "13&")],
    ["another first day", base.replace("10-23", "10-24")],
    ["another last day", base.replace("11-21", "11-20")],
    ["another zone", `${base}&timezone=Europe/Berlin`],
    ["another limit", `${base}&limit=26`],
  ])("%s does", async (_, query) => {
    expect(await ask2(query)).toBe("MISS");
  });
});

test.each([
  ["a key of another workspace", { principal: { keyId: "key_9", workspace: 2, sites: "all" as const } }],
  ["a member without access to the site", granted([13])],
])("is never served to %s", async (_, verdict) => {
  const { endpoint } = readApi();
  const handler = endpoint();
  await ask(handler);
  const answer = await ask(handler, "site_id=12", { verdict });
  expect(codeOf(answer)).toBe("SITE_ACCESS_DENIED");
  expect(answer.headers).not.toHaveProperty("x-cache");
});

describe("Cache-Control: no-cache", () => {
  test.each(["no-cache", "No-Cache", "max-age=0, no-cache", "no-cache,no-store", " no-cache "])(
    "%j reads afresh and refills the cache",
    async (value) => {
      const { world, endpoint } = readApi();
      const handler = endpoint();
      await ask(handler);
      world.now += SECOND;
      const fresh = await ask(handler, "site_id=12", { headers: { "cache-control": value } });
      expect(fresh.headers["x-cache"]).toBe("MISS");
      expect(fresh.json()).toMatchObject({ figures: 2 });
      const refilled = await ask(handler);
      expect(refilled.headers["x-cache"]).toBe("HIT");
      expect(refilled.json()).toMatchObject({ figures: 2 });
    },
  );

  test.each(["", "max-age=0", "no-store", "no-cache-please", "xno-cache"])("%j does not", async (value) => {
    const handler = readApi().endpoint();
    await ask(handler);
    const answer = await ask(handler, "site_id=12", { headers: { "cache-control": value } });
    expect(answer.headers["x-cache"]).toBe("HIT");
  });
});

describe("questions at the same time", () => {
  test("ten callers of one cold question cost one computation, and the next asks the cache again", async () => {
    const { world, endpoint } = readApi();
    const gate = Promise.withResolvers<void>();
    const handler = endpoint({
      query: async () => {
        await gate.promise;
        return { figures: ++world.computed };
      },
    });
    const answers = Array.from({ length: 10 }, () => ask(handler));
    gate.resolve();
    const texts = new Set((await Promise.all(answers)).map(({ text }) => text));
    expect([world.computed, texts.size]).toEqual([1, 1]);
    expect((await ask(handler)).headers["x-cache"]).toBe("HIT");
  });

  test("no-cache joins nothing that was begun before it", async () => {
    const { world, endpoint } = readApi();
    const gate = Promise.withResolvers<void>();
    const handler = endpoint({
      query: async () => {
        const figures = ++world.computed;
        await gate.promise;
        return { figures };
      },
    });
    const answers = [ask(handler), ask(handler, "site_id=12", NO_CACHE)];
    gate.resolve();
    await Promise.all(answers);
    expect(world.computed).toBe(2);
  });

  test("a failure is told to all who wait for it and to nobody after", async () => {
    const { world, endpoint } = readApi();
    const handler = endpoint({
      query: async () => {
        if (++world.computed === 1) throw new Error("the query failed");
        return { figures: 2 };
      },
    });
    const first = await Promise.all([ask(handler), ask(handler)]);
    expect(first.map(({ status }) => status)).toEqual([500, 500]);
    expect((await ask(handler)).status).toBe(200);
    expect(world.computed).toBe(2);
  });
});

describe("errors are not kept", () => {
  test("of the parameters, of access, of the query, of the schema", async () => {
    const { world, endpoint } = readApi();
    await ask(endpoint(), "");
    await ask(endpoint(), "site_id=99");
    await ask(endpoint(), "site_id=12&period=x");
    const fails = async () => {
      throw new Error("the query failed");
    };
    await ask(endpoint({ query: fails }));
    await ask(endpoint({ query: async () => ({ figures: Number.NaN }) }));
    expect(world.kept.size).toBe(0);
  });
});

test("a failing cache fails no request", async () => {
  const fails = async () => {
    throw new Error("throttled");
  };
  const { endpoint } = readApi({ cache: { read: fails, write: fails } });
  const answer = await ask(endpoint());
  expect([answer.status, answer.headers["x-cache"]]).toEqual([200, "MISS"]);
});
