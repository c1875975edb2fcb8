import { randomUUID } from "node:crypto";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { SECOND } from "../../shared/domain/instant";
import { ENDPOINTS } from "../../shared/lambda/read-api/endpoints";
import { setPlan } from "../../shared/storage/access/workspaces";
import { logIn, post, within } from "../e2e/people";
import { type Running, startService } from "../e2e/service";
import { CHROME } from "../hostile/inputs";

/** The official client of the protocol against the service as `npm start` runs it. */

let service: Running;
let manage: Awaited<ReturnType<typeof logIn>>;
let site: number;

beforeAll(async () => {
  service = await startService();
  manage = await logIn(service, service.demo.dashboard);
  site = service.demo.sites[0]?.site_id ?? 0;
  await somethingHappens();
}, 60_000);
afterAll(() => service?.close());

/** A visit from an ad, a lead and a sale. */
async function somethingHappens(): Promise<void> {
  const [evid, now] = [randomUUID(), Date.now()];
  const url = "http://localhost/shop?utm_source=google&utm_medium=cpc";
  const page = { id: randomUUID(), index: 0, url, t: now };
  const visit = { id: randomUUID(), start: now, url, ids: {} };
  const collected = await fetch(`${service.baseUrl}/api/collect`, {
    method: "POST",
    headers: { "content-type": "text/plain", origin: "http://localhost", "user-agent": CHROME },
    body: JSON.stringify({ site, evid, now, hits: [{ kind: "pageview", t: now, first: true, visit, page }] }),
  });
  expect(await collected.json()).toEqual({ accepted: 1 });
  await within(5 * SECOND, async () => (await v1("overview")).totals.pageviews === 1);
  const hook = (type: string) =>
    service.demo.receiving_webhooks.find(({ event_type }) => event_type === type)?.url ?? "";
  await post(hook("Lead"), { evid, email: "jane@example.com" });
  await post(hook("Purchase"), {
    ...{ evid, email: "jane@example.com", order_id: "1", value: 129.5, currency: "USD" },
    products: [{ sku: "lamp", name: "Reading lamp", price: 129.5 }],
  });
}

async function v1(operation: string, query = ""): Promise<{ totals: { pageviews: number } }> {
  const answer = await fetch(`${service.baseUrl}/v1/${operation}?site_id=${site}${query}`, {
    headers: { authorization: `Bearer ${service.demo.api_key}`, "cache-control": "no-cache" },
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { totals: { pageviews: number } };
}

/** Makes the site's AI-access key anew. */
async function newKey(): Promise<{ url: string; key: string }> {
  const { status, body } = await manage("POST", `/sites/${site}/ai-access`);
  expect(status).toBe(201);
  return { url: body.mcp_url, key: body.value };
}

async function connect(url: string, key: string | undefined, headers = {}): Promise<Client> {
  const client = new Client({ name: "assistant", version: "1.0" });
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const requestInit = { headers: { ...authorization, ...headers } };
  // Its optional members are not written for exactOptionalPropertyTypes.
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  return client;
}

const textOf = ({ content }: Awaited<ReturnType<Client["callTool"]>>) =>
  JSON.parse((content as { text: string }[])[0]?.text ?? "");

test("an assistant connects with the address and key that management gives, and finds its way to the figures", async () => {
  const { url, key } = await newKey();
  expect(url).toBe(`${service.baseUrl}/mcp`);
  const client = await connect(url, key);
  expect(client.getServerVersion()).toMatchObject({ name: "attribution-analytics" });
  expect(client.getInstructions()).toContain("sites");
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(["sites", ...ENDPOINTS.map((one) => one.operation.name)]);
  const sites = await client.callTool({ name: "sites" });
  expect(sites.structuredContent).toEqual({
    sites: [{ site_id: site, domain: "localhost", name: "Demo shop" }],
  });
  const answer = await client.callTool({ name: "overview", arguments: { site_id: site, period: "today" } });
  expect(answer.structuredContent).toMatchObject({
    totals: { sessions: 1, pageviews: 1, leads: 1, purchases: 1, revenue: 129.5 },
    by_source: [{ source: "google", channel: "Paid Search" }],
  });
  await client.close();
});

test.each(ENDPOINTS.map(({ operation }) => operation.name))(
  "%s answers what GET /v1 answers, valid under the schema it lists",
  async (name) => {
    const { url, key } = await newKey();
    const client = await connect(url, key, { "cache-control": "no-cache" });
    await client.listTools(); // from here on the client validates every answer
    for (const [given, query] of [
      [{}, ""],
      [{ period: "last_365d", timezone: "Asia/Kathmandu" }, "&period=last_365d&timezone=Asia/Kathmandu"],
      [{ from: "2024-02-01", to: "2024-02-29" }, "&from=2024-02-01&to=2024-02-29"],
    ] as const) {
      const answer = await client.callTool({ name, arguments: { site_id: site, ...given } });
      const expected = await v1(name, query);
      expect(answer.isError).toBeUndefined();
      expect(answer.structuredContent).toEqual(expected);
      expect(textOf(answer)).toEqual(expected);
    }
    await client.close();
  },
);

test("a mistake is a result that the assistant reads and corrects", async () => {
  const { url, key } = await newKey();
  const client = await connect(url, key);
  const wrong = await client.callTool({ name: "leads", arguments: { site_id: site, period: "last_week" } });
  expect(wrong.isError).toBe(true);
  expect(textOf(wrong)).toEqual({ error: expect.stringContaining("last_7d"), code: "BAD_PERIOD" });
  const right = await client.callTool({ name: "leads", arguments: { site_id: site, period: "last_7d" } });
  expect(right.structuredContent).toMatchObject({ totals: { leads: 1 } });
  await client.close();
});

describe("the key", () => {
  const refused = (code: number, text: string) =>
    expect.objectContaining({ code, message: expect.stringContaining(text) });

  test("is for /mcp, and an API key is not", async () => {
    const { url, key } = await newKey();
    await expect(connect(url, service.demo.api_key)).rejects.toEqual(refused(401, "INVALID_API_KEY"));
    await expect(connect(url, undefined)).rejects.toEqual(refused(401, "AUTH_REQUIRED"));
    const read = await fetch(`${service.baseUrl}/v1/overview?site_id=${site}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    expect(read.status).toBe(401);
    expect(await read.json()).toMatchObject({ code: "INVALID_API_KEY" });
  });

  test("ends at once when it is replaced or revoked, also for who is connected", async () => {
    const { url, key } = await newKey();
    const client = await connect(url, key);
    const { key: next } = await newKey();
    await expect(client.callTool({ name: "sites" })).rejects.toEqual(refused(401, "INVALID_API_KEY"));
    const other = await connect(url, next);
    await other.callTool({ name: "sites" });
    await manage("DELETE", `/sites/${site}/ai-access`);
    await expect(other.callTool({ name: "sites" })).rejects.toEqual(refused(401, "INVALID_API_KEY"));
  });

  test("is refused on a plan below Unlimited, and good again after", async () => {
    const { url, key } = await newKey();
    const client = await connect(url, key);
    const config = { dynamo: service.dynamo, table: service.tables.Config };
    await setPlan(config, service.demo.workspace_id, "growth");
    await expect(client.callTool({ name: "sites" })).rejects.toEqual(refused(403, "TIER_NO_API_ACCESS"));
    await setPlan(config, service.demo.workspace_id, "unlimited");
    await expect(client.callTool({ name: "sites" })).resolves.toHaveProperty("structuredContent");
  });

  test("answers 200 requests in a minute, whatever they ask; the next is told when to come again", async () => {
    const { url, key } = await newKey();
    const client = await connect(url, key); // two requests
    const tools = ["sites", "overview", "leads", "revenue"];
    for (let sent = 2; sent < 198; sent += 4) {
      await Promise.all(
        tools.map((name) => client.callTool({ name, arguments: { site_id: site, period: "today" } })),
      );
    }
    await client.listTools();
    await client.ping();
    await expect(client.callTool({ name: "sites" })).rejects.toEqual(refused(429, "RATE_LIMITED"));
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
    });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await v1("overview")).toHaveProperty("totals"); // another key's window is another
  });
});

test.each(["GET", "DELETE", "PUT", "HEAD", "OPTIONS"])(
  "%s /mcp is 405: there is no stream and no session",
  async (method) => {
    const answer = await fetch(`${service.baseUrl}/mcp`, {
      method,
      headers: { accept: "text/event-stream" },
    });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST");
    if (method !== "HEAD") expect(await answer.json()).toMatchObject({ code: "METHOD_NOT_ALLOWED" });
  },
);
