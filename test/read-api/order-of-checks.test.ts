import * as fc from "fast-check";
import { ERRORS, type ErrorCode } from "../../shared/domain/errors";
import { ask, codeOf, event, granted, NOW, REFUSED, readApi, send } from "./support";

/** What can be wrong with a request, and what is sent then. In each row at most one thing can be. */
const VERDICTS = {
  ok: granted(),
  AUTH_REQUIRED: { refusal: "AUTH_REQUIRED" },
  INVALID_API_KEY: { refusal: "INVALID_API_KEY" },
  TIER_NO_API_ACCESS: { refusal: "TIER_NO_API_ACCESS" },
} as const;
const SITE_IDS = {
  ok: "site_id=12",
  MISSING_SITE_ID: "",
  BAD_SITE_ID: "site_id=-1",
  SITE_ACCESS_DENIED: "site_id=99",
};
const PERIODS = { ok: "", valid: "period=last_7d", BAD_PERIOD: "period=last_6d" };
const DATES = {
  ok: "",
  BAD_DATE_FORMAT: "from=2026-01-01",
  INVERTED_RANGE: "from=2026-01-02&to=2026-01-01",
  RANGE_TOO_WIDE: "from=2024-01-01&to=2026-01-01",
};
const ZONES = { ok: "timezone=Asia/Kathmandu", BAD_TIMEZONE: "timezone=Mars/Phobos" };

const anyOf = <Choices extends object>(choices: Choices) =>
  fc.constantFrom(...(Object.keys(choices) as (keyof Choices & string)[]));

test("of everything that is wrong with a request, the first in the contract's order is answered", async () => {
  const request = fc.record({
    verdict: anyOf(VERDICTS),
    limited: fc.boolean(),
    site: anyOf(SITE_IDS),
    period: anyOf(PERIODS),
    dates: anyOf(DATES),
    zone: anyOf(ZONES),
    fails: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ verdict, limited, site, period, dates, zone, fails }) => {
      const wrong = [
        verdict,
        limited ? "RATE_LIMITED" : "ok",
        site,
        period,
        period === "valid" ? "ok" : dates,
        zone,
        fails ? "INTERNAL" : "ok",
      ].filter((code): code is ErrorCode => code in ERRORS);

      const { world, endpoint } = readApi();
      if (limited) world.admission = REFUSED;
      const handler = endpoint({
        query: async () => {
          if (fails) throw new Error("the query failed");
          return { figures: 1 };
        },
      });
      const query = [ZONES[zone], DATES[dates], PERIODS[period], SITE_IDS[site]].filter(Boolean).join("&");
      const answer = await ask(handler, query, { verdict: VERDICTS[verdict] });

      const [first] = wrong;
      if (first === undefined) {
        expect(answer.status).toBe(200);
      } else {
        expect(answer.json()).toEqual({ error: ERRORS[first][1], code: first });
        expect(answer.status).toBe(ERRORS[first][0]);
      }
    }),
    { numRuns: 1_000 },
  );
});

const own = (read: (text: string | undefined) => number) => ({ description: "", schema: {}, read });

describe("who asks", () => {
  test.each([
    ["no context at all", undefined],
    ["a context without a verdict", {}],
    ["no JSON", { verdict: "{" }],
    ["another form", { verdict: JSON.stringify({ principal: { keyId: "key_1" } }) }],
    ["a verdict that is no text", { verdict: granted() }],
  ])("%s from the authorizer is a failure on our side, never a guest", async (_, context) => {
    const { world, endpoint } = readApi();
    const answer = await send(endpoint(), event("site_id=12", context ? { context } : {}));
    expect([answer.status, codeOf(answer)]).toEqual([500, "INTERNAL"]);
    expect([world.counted, world.lookedUp, world.computed]).toEqual([[], [], 0]);
  });

  test("a 401 says which kind of authentication to use, and a refused caller touches nothing", async () => {
    const { world, endpoint } = readApi();
    const none = await ask(endpoint(), "site_id=12", { verdict: { refusal: "AUTH_REQUIRED" } });
    const bad = await ask(endpoint(), "site_id=12", { verdict: { refusal: "INVALID_API_KEY" } });
    const plan = await ask(endpoint(), "site_id=12", { verdict: { refusal: "TIER_NO_API_ACCESS" } });
    expect(none.headers["www-authenticate"]).toBe("Bearer");
    expect(bad.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
    expect(plan.headers).not.toHaveProperty("www-authenticate");
    expect([world.counted, world.lookedUp, world.computed]).toEqual([[], [], 0]);
  });
});

describe("which sites", () => {
  test.each([
    ["of another workspace", "site_id=99", granted()],
    ["that does not exist", "site_id=1000", granted()],
    ["of a number no site can have", `site_id=${"9".repeat(400)}`, granted()],
    ["that the key's creator cannot access", "site_id=13", granted([12])],
    ["for a creator who can access none", "site_id=12", granted([])],
    ["of another workspace that is on the creator's list", "site_id=99", granted([99])],
  ])("one %s is denied alike", async (_, query, verdict) => {
    const { world, endpoint } = readApi();
    const answer = await ask(endpoint(), query, { verdict });
    expect([answer.status, codeOf(answer)]).toEqual([403, "SITE_ACCESS_DENIED"]);
    expect(world.computed).toBe(0);
  });

  test("one on the creator's list is read", async () => {
    expect((await ask(readApi().endpoint(), "site_id=13", { verdict: granted([12, 13]) })).status).toBe(200);
  });
});

describe("what the endpoint is asked", () => {
  test("site, range, moment and its own parameters; anything else is ignored", async () => {
    const asked = jest.fn(async () => ({ figures: 1 }));
    const { endpoint } = readApi();
    await ask(
      endpoint({ parameters: { limit: own((text) => Number(text ?? 25)) }, query: asked }),
      "site_id=12&from=2026-11-01&to=2026-11-02&timezone=Asia/Kathmandu&limit=3&start_date=x&utm_source=y",
    );
    expect(asked).toHaveBeenCalledWith(
      expect.objectContaining({
        siteId: 12,
        site: expect.objectContaining({ domain: "shop.example" }),
        range: {
          period: { from: "2026-11-01", to: "2026-11-02", timezone: "Asia/Kathmandu" },
          start: Date.parse("2026-10-31T18:15Z"),
          end: Date.parse("2026-11-02T18:15Z"),
        },
        parameters: { limit: 3 },
        now: NOW,
      }),
    );
  });

  test("the answer echoes the period it used", async () => {
    const answer = await ask(readApi().endpoint(), "site_id=12&period=today&timezone=Pacific/Kiritimati");
    expect(answer.json()).toEqual({
      period: { from: "2026-11-22", to: "2026-11-22", timezone: "Pacific/Kiritimati" },
      figures: 1,
    });
  });

  test("any query string is answered or refused, never a failure", async () => {
    const { endpoint } = readApi();
    const handler = endpoint({ parameters: { limit: own((text) => Number.parseInt(text ?? "", 10) || 25) } });
    const piece = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "site_id=12",
        "&",
        "=",
        "%",
        "%00",
        "%ff",
        "period=",
        "from=2026-01-01",
        "to=",
        "timezone=",
        "limit=",
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        expect((await ask(handler, pieces.join(""))).status).toBeLessThan(500);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("what goes out", () => {
  test("is what the schema allows and no more", async () => {
    const { endpoint } = readApi();
    const leaky = { figures: 1, visitors: ["ann@example.com"] };
    const answer = await ask(endpoint({ query: async () => leaky }));
    expect(Object.keys(answer.json() as object)).toEqual(["period", "figures"]);
  });

  test("is a failure on our side when it does not fit the schema", async () => {
    const { endpoint } = readApi();
    const answer = await ask(endpoint({ query: async () => ({ figures: Number.NaN }) }));
    expect([answer.status, codeOf(answer)]).toEqual([500, "INTERNAL"]);
  });

  test("a failure tells nothing but the id to ask us about", async () => {
    const { endpoint } = readApi();
    const fails = async () => {
      throw new Error("table arn:aws:dynamodb:eu-west-1:123456789012 said no");
    };
    const answer = await ask(endpoint({ query: fails }));
    expect(answer.json()).toEqual({ error: ERRORS.INTERNAL[1], code: "INTERNAL" });
    expect(answer.headers["x-request-id"]).toBe("request-1");
  });

  test("is for the caller alone", async () => {
    const { endpoint } = readApi();
    const good = await ask(endpoint());
    const bad = await ask(endpoint(), "");
    for (const { headers } of [good, bad]) {
      expect(headers).toMatchObject({
        "cache-control": "no-store",
        "content-type": "application/json; charset=utf-8",
        "x-content-type-options": "nosniff",
      });
    }
  });
});
