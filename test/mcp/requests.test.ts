import { codeOf, type granted, REFUSED } from "../read-api/support";
import { mcp } from "./support";

const QUOTA = { "ratelimit-limit": "200", "ratelimit-remaining": "199", "ratelimit-reset": "60" };
const INITIALIZE = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "test", version: "1" },
};

describe("who may speak is told by HTTP", () => {
  test.each([
    ["AUTH_REQUIRED", 401, "Bearer"],
    ["INVALID_API_KEY", 401, 'Bearer error="invalid_token"'],
    ["TIER_NO_API_ACCESS", 403, undefined],
  ] as const)("%s is %d with our body, whatever is asked", async (refusal, status, challenge) => {
    const { request, post, world } = mcp();
    for (const answer of [
      await request("initialize", INITIALIZE, { verdict: { refusal } }),
      await request("tools/call", { name: "sites" }, { verdict: { refusal } }),
      await post("not JSON", { verdict: { refusal } }),
    ]) {
      expect(answer.status).toBe(status);
      expect(codeOf(answer)).toBe(refusal);
      expect(answer.headers["www-authenticate"]).toBe(challenge);
    }
    expect(world.counted).toEqual([]);
  });

  test("no verdict is INTERNAL: nobody has looked at the key", async () => {
    const answer = await mcp().request("ping", {}, { verdict: {} as ReturnType<typeof granted> });
    expect([answer.status, codeOf(answer)]).toEqual([500, "INTERNAL"]);
  });

  test.each([
    ["another site's page", { origin: "https://evil.example", host: "api.example" }],
    ["no page in particular", { origin: "null", host: "api.example" }],
    ["what a browser calls cross-site", { "sec-fetch-site": "cross-site", host: "api.example" }],
  ])("a request from %s is ORIGIN_NOT_ALLOWED", async (_, headers) => {
    const { request, world } = mcp();
    const answer = await request("tools/call", { name: "sites" }, { headers });
    expect([answer.status, codeOf(answer)]).toEqual([403, "ORIGIN_NOT_ALLOWED"]);
    expect(world.counted).toEqual([]);
  });

  test("a request from our own origin, or with none, is heard", async () => {
    const { request } = mcp();
    const own = { origin: "https://api.example", host: "api.example", "x-forwarded-proto": "https" };
    await expect(request("ping", {}, { headers: own })).resolves.toMatchObject({ status: 200 });
    await expect(request("ping")).resolves.toMatchObject({ status: 200 });
  });
});

describe("the rate limit", () => {
  test.each([
    ["a call", "tools/call", { name: "overview", arguments: { site_id: 12 } }],
    ["a call that is refused", "tools/call", { name: "overview", arguments: { site_id: 99 } }],
    ["the sites", "tools/call", { name: "sites" }],
    ["an unknown tool", "tools/call", { name: "?" }],
    ["the list of tools", "tools/list", {}],
    ["an introduction", "initialize", INITIALIZE],
  ])("counts %s once and says what is left", async (_, method, params) => {
    const { request, world } = mcp();
    const answer = await request(method, params);
    expect(answer.headers).toMatchObject(QUOTA);
    expect(world.counted).toEqual(["api#key_1"]);
  });

  test("counts notifications and what cannot be read as well", async () => {
    const { post, world } = mcp();
    await expect(post("?")).resolves.toMatchObject({ status: 400, headers: QUOTA });
    await expect(post("[]")).resolves.toMatchObject({ status: 400, headers: QUOTA });
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" };
    await expect(post(JSON.stringify(notification))).resolves.toMatchObject({ status: 202, headers: QUOTA });
    expect(world.counted).toHaveLength(3);
  });

  test.each([
    ["a call", "tools/call", { name: "overview", arguments: { site_id: 12 } }],
    ["the list of tools", "tools/list", {}],
  ])("refuses %s with 429 and when to come again, and asks nothing", async (_, method, params) => {
    const { request, world, asked } = mcp();
    world.admission = REFUSED;
    const answer = await request(method, params);
    expect([answer.status, codeOf(answer)]).toEqual([429, "RATE_LIMITED"]);
    expect(answer.headers).toMatchObject({ "ratelimit-remaining": "0", "retry-after": "2" });
    expect(asked).toEqual([]);
    expect(world.counted).toHaveLength(1);
  });
});

describe("what is wrong with a message is told in JSON-RPC", () => {
  const call = (params: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });

  test.each([
    ["nothing", "", 400, -32700],
    ["half", '{"jsonrpc":', 400, -32700],
    ["no JSON-RPC", '{"site_id":12}', 400, -32700],
    ["null", "null", 400, -32700],
    ["another version of it", '{"jsonrpc":"1.0","id":1,"method":"ping"}', 400, -32700],
    ["a deep nest", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`, 400, -32700],
    ["a batch", `[${call({ name: "sites" })}]`, 400, -32600],
    ["a batch behind a byte order mark", `\ufeff [${call({ name: "sites" })}]`, 400, -32600],
    ["65 KB", call({ name: "sites", arguments: { a: "x".repeat(65_536) } }), 413, -32000],
    ["an unknown method", '{"jsonrpc":"2.0","id":7,"method":"resources/list"}', 200, -32601],
    ["an unknown tool", call({ name: "delete_everything" }), 200, -32602],
    ["a tool of every object", call({ name: "__proto__" }), 200, -32602],
    ["no tool", call({}), 200, -32602],
    ["no parameters", call(undefined), 200, -32602],
    ["arguments that are text", call({ name: "overview", arguments: "site_id=12" }), 200, -32602],
    ["arguments that are a list", call({ name: "overview", arguments: [12] }), 200, -32602],
  ])("%s", async (_, body, status, code) => {
    const { post, asked } = mcp();
    const answer = await post(body);
    expect(answer.status).toBe(status);
    expect(answer.headers["content-type"]).toMatch(/^application\/json/);
    expect(answer.json()).toMatchObject({ jsonrpc: "2.0", error: { code, message: expect.any(String) } });
    expect(asked).toEqual([]);
  });

  test.each([
    ["another content type", { "content-type": "text/plain" }, 415],
    ["no content type", { "content-type": "" }, 415],
    ["a version nobody speaks", { "mcp-protocol-version": "1990-01-01" }, 400],
    ["a version of odd characters", { "mcp-protocol-version": "2025\u{1f600}\r\n" }, 400],
  ])("%s", async (_, headers, status) => {
    const answer = await mcp().request("ping", {}, { headers });
    expect(answer.status).toBe(status);
    expect(answer.json()).toMatchObject({ jsonrpc: "2.0", error: { message: expect.any(String) } });
  });

  test("arguments nested 30,000 deep are the parameter's own error", async () => {
    const deep = `${"[".repeat(30_000)}${"]".repeat(30_000)}`;
    const body = call({ name: "overview", arguments: { site_id: "?" } }).replace('"?"', deep);
    const answer = await mcp().post(body);
    expect(answer.text).toContain("BAD_SITE_ID");
  });

  test("an unknown tool is told which there are", async () => {
    const answer = await mcp().request("tools/call", { name: "revenue_by_day" });
    expect(answer.text).toContain("There are sites, overview, pages.");
  });
});

describe("the protocol", () => {
  test.each(["2025-11-25", "2025-06-18", "2025-03-26"])("is spoken in %s", async (protocolVersion) => {
    const answer = await mcp().request("initialize", { ...INITIALIZE, protocolVersion });
    expect(answer.json()).toMatchObject({
      result: {
        protocolVersion,
        capabilities: { tools: {} },
        instructions: expect.stringContaining("sites"),
      },
    });
    expect(answer.headers["mcp-session-id"]).toBeUndefined();
  });

  test("needs no introduction, no Accept and no session: every request stands for itself", async () => {
    const { request } = mcp();
    await expect(request("tools/list")).resolves.toMatchObject({ status: 200 });
    const stale = { "mcp-session-id": "of-another-server", accept: "text/html" };
    await expect(request("tools/list", {}, { headers: stale })).resolves.toMatchObject({ status: 200 });
  });

  test("keeps apart what is asked at once", async () => {
    const { call } = mcp();
    const zones = ["UTC", "Asia/Kathmandu", "America/New_York", "Australia/Lord_Howe"];
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, i) => call("overview", { site_id: 12, timezone: zones[i % 4] })),
    );
    answers.forEach(({ result }, i) => {
      expect(result.structuredContent.period.timezone).toBe(zones[i % 4]);
    });
  });
});
