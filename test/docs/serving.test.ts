import { docsHandler } from "../../functions/docs/handler";
import { httpFunction } from "../../shared/lambda/http";
import { event, send } from "../read-api/support";

const OPENAPI = "/api-docs/openapi.json";
const LLMS = "/api-docs/llms.txt";

const get = (path: string, headers: Record<string, string> = {}) =>
  send(httpFunction(docsHandler), event("", { path, headers: { host: "api.shop.test", ...headers } }));

test("both are public, may be kept for a while and read by pages of any origin", async () => {
  for (const [path, type] of [
    [OPENAPI, "application/json; charset=utf-8"],
    [LLMS, "text/plain; charset=utf-8"],
  ] as const) {
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      "content-type": type,
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    });
  }
});

test("they name the origin under which they were asked for", async () => {
  const https = { "x-forwarded-proto": "https" };
  expect((await get(OPENAPI, https)).json()).toMatchObject({ servers: [{ url: "https://api.shop.test" }] });
  expect((await get(LLMS, https)).text).toContain("https://api.shop.test/v1/overview?");
  const local = { host: "localhost:8787", "x-forwarded-proto": "http" };
  expect((await get(OPENAPI, local)).json()).toMatchObject({ servers: [{ url: "/" }] });
  expect((await get(LLMS, local)).text).toContain("http://localhost:8787/v1/overview?");
});

test.each([
  "",
  " ",
  "a b",
  "x/../../etc",
  'x"><script>',
  "[::1",
  "user:password@evil.test",
  "x\r\ny",
  "é".repeat(300),
])("a Host of %j puts nothing but an origin into them", async (host) => {
  const [openapi, llms] = [await get(OPENAPI, { host }), await get(LLMS, { host })];
  expect([openapi.status, llms.status]).toEqual([200, 200]);
  const { servers } = openapi.json() as { servers: { url: string }[] };
  expect(servers).toEqual([{ url: expect.stringMatching(/^(\/|https:\/\/[a-z0-9.-]+)$/) }]);
  expect(llms.text).not.toMatch(/<script|password@|\/etc/);
});

test("who has the text already is told so in 304, until it changes", async () => {
  const first = await get(LLMS);
  const etag = String(first.headers.etag);
  for (const tags of [etag, etag.replace("W/", ""), `"other", ${etag}`, "*"]) {
    const again = await get(LLMS, { "if-none-match": tags });
    expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  }
  for (const changed of [{ host: "else.test", "if-none-match": etag }, { "if-none-match": '"other"' }])
    expect((await get(LLMS, changed)).status).toBe(200);
});

test("it is gzipped for who takes that", async () => {
  const plain = await get(OPENAPI);
  const gzipped = await get(OPENAPI, { "accept-encoding": "gzip" });
  expect(gzipped.headers["content-encoding"]).toBe("gzip");
  expect(gzipped.text).toBe(plain.text);
});

test("another path is NOT_FOUND", async () => {
  expect(await get("/api-docs/__proto__")).toMatchObject({ status: 404 });
});
