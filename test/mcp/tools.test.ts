import { ask, granted, SITE } from "../read-api/support";
import { mcp } from "./support";

const READING = { readOnlyHint: true, idempotentHint: true, openWorldHint: false };

describe("tools/list", () => {
  const list = async () => (await mcp().request("tools/list")).json() as { result: { tools: never[] } };

  test("has a tool for each operation and one for the sites, all of them reading only", async () => {
    const { tools } = (await list()).result;
    expect(tools).toEqual([
      expect.objectContaining({ name: "sites", annotations: READING }),
      expect.objectContaining({ name: "overview", annotations: READING }),
      expect.objectContaining({ name: "pages", annotations: READING }),
    ]);
  });

  test("gives an operation the parameters it has on /v1 and the schema of its answer", async () => {
    const [, overview, pages] = (await list()).result.tools;
    const shared = ["site_id", "period", "from", "to", "timezone"];
    expect(overview).toMatchObject({
      description: expect.stringContaining("Visits, visitors, page views"),
      inputSchema: { type: "object", required: ["site_id"] },
      outputSchema: { type: "object", required: ["period", "totals", "by_source"] },
    });
    const parametersOf = ({ inputSchema }: { inputSchema: { properties: object } }) =>
      Object.keys(inputSchema.properties);
    expect(parametersOf(overview as never)).toEqual(shared);
    expect(parametersOf(pages as never)).toEqual([...shared, "limit"]);
    expect(pages).toMatchObject({
      inputSchema: { properties: { limit: { type: "integer", minimum: 1, maximum: 100, default: 25 } } },
    });
  });
});

describe("a call", () => {
  test("is answered with the very body of GET /v1, as text and as structure", async () => {
    const { call, overview } = mcp();
    const read = await ask(overview, "site_id=12&period=last_7d&timezone=Asia/Kolkata");
    const { result } = await call("overview", {
      site_id: 12,
      period: "last_7d",
      timezone: "Asia/Kolkata",
    });
    expect(result).toEqual({
      content: [{ type: "text", text: read.text }],
      structuredContent: read.json(),
    });
  });

  test("shares the cache with GET /v1, and is answered afresh when the request says no-cache", async () => {
    const { call, overview, asked } = mcp();
    await call("overview", { site_id: 12 });
    await expect(ask(overview)).resolves.toMatchObject({ headers: { "x-cache": "HIT" } });
    await call("overview", { site_id: 12 });
    expect(asked).toHaveLength(1);
    await call("overview", { site_id: 12 }, { headers: { "cache-control": "no-cache" } });
    expect(asked).toHaveLength(2);
  });

  test.each([
    ["no site", {}, "MISSING_SITE_ID"],
    ["null for a site", { site_id: null }, "MISSING_SITE_ID"],
    ["zero", { site_id: 0 }, "BAD_SITE_ID"],
    ["a fraction", { site_id: 1.5 }, "BAD_SITE_ID"],
    ["a number beyond all", { site_id: 1e300 }, "BAD_SITE_ID"],
    ["text", { site_id: "shop.example" }, "BAD_SITE_ID"],
    ["true", { site_id: true }, "BAD_SITE_ID"],
    ["a list", { site_id: [12] }, "BAD_SITE_ID"],
    ["an object", { site_id: { toString: 1 } }, "BAD_SITE_ID"],
    ["another workspace's site", { site_id: 99 }, "SITE_ACCESS_DENIED"],
    ["no such site", { site_id: 4_000_000_000 }, "SITE_ACCESS_DENIED"],
    ["an unknown period", { site_id: 12, period: "last_week" }, "BAD_PERIOD"],
    ["one date", { site_id: 12, from: "2026-11-01" }, "BAD_DATE_FORMAT"],
    ["no such date", { site_id: 12, from: "2026-02-30", to: "2026-03-01" }, "BAD_DATE_FORMAT"],
    ["dates the wrong way round", { site_id: 12, from: "2026-11-02", to: "2026-11-01" }, "INVERTED_RANGE"],
    ["367 days", { site_id: 12, from: "2025-11-01", to: "2026-11-02" }, "RANGE_TOO_WIDE"],
    ["no such zone", { site_id: 12, timezone: "Mars/Base" }, "BAD_TIMEZONE"],
    ["everything wrong: the site first", { site_id: "x", period: "y", timezone: "z" }, "BAD_SITE_ID"],
    ["half a character", { site_id: 12, timezone: "\ud800" }, "BAD_TIMEZONE"],
  ])("with %s has the read API's error for its result, to be read and corrected", async (_, given, code) => {
    const { call } = mcp();
    const { status, result } = await call("overview", given);
    expect(status).toBe(200);
    expect(result).toEqual({
      content: [{ type: "text", text: expect.stringContaining(`"code":"${code}"`) }],
      isError: true,
    });
    expect(JSON.parse(result.content[0].text)).toEqual({ error: expect.any(String), code });
  });

  test("takes a number for a number, also as text, and null for what is left out", async () => {
    const { call, asked } = mcp();
    for (const limit of [7, "8", null, 500]) {
      await call("pages", { site_id: "12", limit, from: null, period: null });
    }
    expect(asked).toEqual([{ limit: 7 }, { limit: 8 }, { limit: 25 }, { limit: 100 }]);
  });

  test("is not moved by what is no parameter", async () => {
    const { call, asked } = mcp();
    await call("overview", { site_id: 12, start_date: "2020-01-01", end_date: [], ["__proto__"]: 1 });
    expect(asked).toEqual([{ from: "2026-10-23", to: "2026-11-21", timezone: "UTC" }]);
  });

  test("of a query that fails is INTERNAL and says nothing of why", async () => {
    const query = () => Promise.reject(new Error("table stack-Cubes is gone"));
    const { text, result } = await mcp({ query }).call("overview", { site_id: 12 });
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: "INTERNAL" });
    expect(text).not.toContain("Cubes");
  });
});

describe("the tool sites", () => {
  test("lists what the key can read and nothing else of it", async () => {
    const { result } = await mcp().call("sites", undefined);
    const sites = [
      { site_id: SITE.id, domain: SITE.domain, name: SITE.name },
      { site_id: 13, domain: "blog.example", name: "Blog" },
    ];
    expect(result).toEqual({
      content: [{ type: "text", text: JSON.stringify({ sites }) }],
      structuredContent: { sites },
    });
  });

  test("lists no site the key's creator was not given, nor another workspace's", async () => {
    const limited = await mcp().call("sites", {}, { verdict: granted([13]) });
    expect(limited.result.structuredContent.sites).toEqual([expect.objectContaining({ site_id: 13 })]);
    const foreign = mcp({ listSites: async () => [{ ...SITE, workspace: 2 }] });
    const { result } = await foreign.call("sites", {});
    expect(result.structuredContent).toEqual({ sites: [] });
  });

  test("fails as INTERNAL and says nothing of why", async () => {
    const listSites = () => Promise.reject(new Error("table stack-Config is gone"));
    const { text, result } = await mcp({ listSites }).call("sites", {});
    expect(result).toMatchObject({ isError: true });
    expect(JSON.parse(result.content[0].text)).toMatchObject({ code: "INTERNAL" });
    expect(text).not.toContain("Config");
  });
});
