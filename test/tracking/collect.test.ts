import fc from "fast-check";
import { type CollectDependencies, collectHandler } from "../../functions/collect/handler";
import { ApiError } from "../../shared/domain/errors";
import { DAY, HOUR } from "../../shared/domain/instant";
import { type TrafficMessage, trafficMessageSchema } from "../../shared/domain/tracking/message";
import { beacon, beaconHit, NOW, request, SITE, sitesOf } from "./builders";

function collector(overrides: Partial<CollectDependencies> = {}) {
  const sent: TrafficMessage[] = [];
  const collect = collectHandler({
    sites: sitesOf(SITE),
    traffic: { send: async (message) => void sent.push(message) },
    countryOfAddress: async (address) => (address === "203.0.113.9" ? "DE" : null),
    clock: () => NOW,
    ...overrides,
  });
  return { collect, sent };
}

const refusal = (code: string) => expect.objectContaining({ name: "ApiError", code });

describe("a beacon of the site", () => {
  test("is answered 202 and put on the queue as one message, cleaned and on our clock", async () => {
    const { collect, sent } = collector();
    const answer = await collect(request(beacon()));
    expect(answer).toMatchObject({
      status: 202,
      body: { accepted: 1 },
      headers: { "access-control-allow-origin": "https://shop.example", vary: "origin" },
    });
    expect(sent).toEqual([
      {
        site: 1,
        received: NOW,
        evid: "visitor-0001",
        country: "DE",
        gpc: false,
        hits: [
          {
            kind: "pageview",
            at: NOW,
            first: true,
            visit: {
              id: "visit0001",
              at: NOW,
              path: "/",
              landingUrl: "https://shop.example/?gclid=abc",
              referrer: "https://www.google.com/",
              browserIds: {},
            },
            page: { id: "page00001", index: 0, path: "/", at: NOW },
          },
        ],
      },
    ]);
  });

  test("loses its bad hits one by one, and is told how many", async () => {
    const { collect, sent } = collector();
    const bad = [null, 7, "x", {}, [], beaconHit({ kind: "purchase" }), beaconHit({ t: "soon" })];
    const answer = await collect(request(beacon({ hits: [...bad, beaconHit(), { visit: 1 }] })));
    expect(answer.body).toEqual({ accepted: 1, rejected: 8 });
    expect(sent[0]?.hits).toHaveLength(1);
  });

  test.each([
    ["older than a day", { t: NOW - DAY - HOUR }],
    ["of a time after it was sent", { t: NOW + 5_000 }],
    [
      "of a page that begins before its visit",
      { page: { id: "page00001", index: 0, url: "https://shop.example/", t: NOW - 1 } },
    ],
    ["of a page that is no web page", { page: { id: "page00001", index: 0, url: "javascript:1", t: NOW } }],
    [
      "of a visit longer than a day",
      { visit: { id: "visit0001", start: NOW - 2 * DAY, url: "https://shop.example/" } },
    ],
  ])("loses a hit %s", async (_, overrides) => {
    const { collect, sent } = collector();
    expect((await collect(request(beacon({ hits: [beaconHit(overrides)] })))).body).toEqual({
      accepted: 0,
      rejected: 1,
    });
    expect(sent).toEqual([]);
  });

  test("carries at most 20 hits", async () => {
    const { collect } = collector();
    const hits = Array.from({ length: 25 }, () => beaconHit());
    expect((await collect(request(beacon({ hits })))).body).toEqual({ accepted: 20, rejected: 5 });
  });

  test("says when the visitor asked not to be shared, by header or by script", async () => {
    const { collect, sent } = collector();
    await collect(request(beacon(), { headers: { "sec-gpc": "1" } }));
    await collect(request(beacon({ gpc: true })));
    expect(sent.map(({ gpc }) => gpc)).toEqual([true, true]);
  });

  test("through the site's own server has its cookie set by a server for 400 days; from elsewhere not", async () => {
    const { collect } = collector();
    const own = await collect(request(beacon(), { headers: { "sec-fetch-site": "same-origin" } }));
    expect(own.cookies).toEqual(["_evid=visitor-0001; Path=/; Max-Age=34560000; SameSite=Lax; Secure"]);
    expect(
      (await collect(request(beacon(), { headers: { "sec-fetch-site": "cross-site" } }))).cookies,
    ).toEqual([]);
    expect((await collect(request(beacon()))).cookies).toEqual([]);
  });

  test("that could not be queued is an error, so that the browser sends it again", async () => {
    const { collect } = collector({ traffic: { send: () => Promise.reject(new Error("queue is down")) } });
    await expect(collect(request(beacon()))).rejects.toThrow("queue is down");
  });
});

describe("where a request may come from", () => {
  test.each([
    [{ origin: "https://shop.example" }],
    [{ origin: "http://www.shop.example:8080" }],
    [{ origin: undefined as unknown as string, referer: "https://m.shop.example/a?b" }],
  ])("%j is the site", async (headers) => {
    const { collect } = collector();
    expect((await collect(request(beacon(), { headers }))).status).toBe(202);
  });

  test.each([
    [{ origin: "https://evil.example" }],
    [{ origin: "https://notshop.example" }],
    [{ origin: "https://shop.example.evil.io" }],
    [{ origin: "null", referer: "https://shop.example/" }],
    [{ origin: "file://shop.example" }],
    [{ origin: undefined as unknown as string }],
  ])("%j is not", async (headers) => {
    const { collect, sent } = collector();
    await expect(collect(request(beacon(), { headers }))).rejects.toEqual(refusal("ORIGIN_NOT_ALLOWED"));
    expect(sent).toEqual([]);
  });

  test("an unknown site is refused alike", async () => {
    const { collect } = collector();
    await expect(collect(request(beacon({ site: 99 })))).rejects.toEqual(refusal("ORIGIN_NOT_ALLOWED"));
  });

  test("a preflight is answered, without credentials", async () => {
    const answer = await collector().collect(request("", { method: "OPTIONS" }));
    expect(answer).toMatchObject({ status: 204, headers: { "access-control-allow-methods": "POST" } });
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
  });
});

describe("bots", () => {
  const HEADLESS =
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36";
  test.each([
    "",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "curl/8.5.0",
    HEADLESS,
  ])("%j is answered like anybody and not counted", async (userAgent) => {
    const { collect, sent } = collector();
    const answer = await collect(request(beacon(), { headers: { "user-agent": userAgent } }));
    expect(answer).toMatchObject({ status: 202, body: { accepted: 0 } });
    expect(sent).toEqual([]);
  });

  test.each(["localhost:8787", "127.0.0.1:8787", "shop.localhost", "[::1]:80"])(
    "a headless browser counts where the service runs on this machine (%s)",
    async (host) => {
      const { collect, sent } = collector();
      await collect(request(beacon(), { headers: { "user-agent": HEADLESS, host } }));
      await collect(request(beacon(), { headers: { "user-agent": "Googlebot/2.1", host } }));
      expect(sent).toHaveLength(1);
    },
  );
});

describe("the country", () => {
  const countryFor = async (
    headers: Record<string, string>,
    overrides: Partial<CollectDependencies> = {},
  ) => {
    const { collect, sent } = collector(overrides);
    await collect(request(beacon(), { headers }));
    return sent[0]?.country;
  };
  test("is the CDN's, else that of the first public address on the way", async () => {
    expect(await countryFor({ "cloudfront-viewer-country": "fr" })).toBe("FR");
    expect(await countryFor({})).toBe("DE");
    const countryOfAddress = async (address: string) =>
      ({ "198.51.100.7": "JP", "203.0.113.9": "DE" })[address] ?? null;
    expect(await countryFor({ "x-forwarded-for": "10.0.0.1, 198.51.100.7" }, { countryOfAddress })).toBe(
      "JP",
    );
  });
  test("is unknown where nothing says it, and never what a stranger writes", async () => {
    expect(await countryFor({ "cloudfront-viewer-country": "XX", "x-forwarded-for": "<script>" })).toBe("DE");
    expect(await countryFor({}, { countryOfAddress: async () => null })).toBe("(unknown)");
    const countryOfAddress = () => Promise.reject(new Error("no file"));
    expect(await countryFor({ "cloudfront-viewer-country": "Germany" }, { countryOfAddress })).toBe(
      "(unknown)",
    );
  });
  test("no address is kept", async () => {
    const { collect, sent } = collector();
    await collect(request(beacon(), { headers: { "x-forwarded-for": "198.51.100.7" } }));
    expect(JSON.stringify(sent)).not.toMatch(/198\.51\.100\.7|203\.0\.113\.9/);
  });
});

describe("a body that is no beacon", () => {
  test.each([
    ["empty", ""],
    ["no JSON", "{"],
    ["an array", "[]"],
    ["a number", "1"],
    ["null", "null"],
    ["without hits", JSON.stringify(beacon({ hits: [] }))],
    ["with a site that is no number", JSON.stringify(beacon({ site: "1" }))],
    ["with a visitor id of a strange shape", JSON.stringify(beacon({ evid: "a b#c/../../d" }))],
    ["10,000 levels deep", `${"[".repeat(10_000)}${"]".repeat(10_000)}`],
    ["in UTF-16", Buffer.from(JSON.stringify(beacon()), "utf16le")],
    ["not UTF-8", Buffer.from([0xff, 0xfe, 0x7b])],
  ])("%s is 400", async (_, body) => {
    await expect(collector().collect(request(body))).rejects.toEqual(refusal("BAD_REQUEST"));
  });

  test("of more than 64 KB is 413", async () => {
    const body = JSON.stringify(beacon({ filler: "x".repeat(65_536) }));
    await expect(collector().collect(request(body))).rejects.toEqual(refusal("OVERSIZED"));
  });

  test("properties nested 10,000 deep cost the hit, not the request", async () => {
    const deep = `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`;
    const body = JSON.stringify(beacon({ hits: [beaconHit(), "DEEP"] })).replace(
      '"DEEP"',
      JSON.stringify(beaconHit({ kind: "event", name: "x", properties: "DEEP" })).replace('"DEEP"', deep),
    );
    expect((await collector().collect(request(body))).body).toEqual({ accepted: 1, rejected: 1 });
  });

  test("never ends in an unexpected failure or a message the writer cannot read", async () => {
    const odd = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom("__proto__", "\u0000", "\ud800", Number.MAX_SAFE_INTEGER, -1, 1e308, "x".repeat(9_000)),
    );
    const field = (good: unknown) =>
      fc.oneof({ weight: 4, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: odd });
    const hostileHit = fc.record({
      kind: field("pageview"),
      t: field(NOW),
      first: field(true),
      visit: field({
        id: "visit0001",
        start: NOW,
        url: "https://shop.example/?utm_source=\u0000x",
        referrer: "x",
      }),
      page: field({ id: "page00001", index: 1, url: "https://shop.example/a", t: NOW }),
      visibleMs: odd,
      contact: odd,
      name: odd,
      properties: odd,
    });
    const hostile = fc.oneof(
      fc.record({ site: field(1), evid: field("visitor-0001"), now: field(NOW), hits: field([]), gpc: odd }),
      fc.array(hostileHit, { minLength: 1, maxLength: 4 }).map((hits) => beacon({ hits })),
      odd,
    );
    await fc.assert(
      fc.asyncProperty(hostile, async (body) => {
        const { collect, sent } = collector();
        const outcome = await collect(request(JSON.stringify(body))).catch((error: unknown) => error);
        if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ApiError);
        else expect(outcome).toMatchObject({ status: 202 });
        for (const message of sent) {
          expect(trafficMessageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("the largest request stays one queue message of under 256 KB", async () => {
    const { collect, sent } = collector();
    const url = `https://shop.example/${"ü".repeat(700)}?utm_source=a`;
    const hit = beaconHit({
      visit: { id: "visit0001", start: NOW, url, referrer: url },
      page: { id: "page00001", index: 0, url, t: NOW },
    });
    await collect(request(beacon({ hits: Array.from({ length: 14 }, () => hit) })));
    expect(sent[0]?.hits).toHaveLength(14);
    expect(Buffer.byteLength(JSON.stringify(sent[0]))).toBeLessThan(256 * 1_024);
  });
});
