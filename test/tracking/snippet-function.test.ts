import { gunzipSync } from "node:zlib";
import { snippetHandler } from "../../functions/snippet/handler";
import { request } from "./builders";

const CODE = "(()=>{/* snippet */})();".repeat(20);
const serve = snippetHandler(CODE);
const get = (headers: Record<string, string> = {}) =>
  serve(request("", { method: "GET", path: "/t.js", headers }));

test("the snippet is served as a script any page may load and keep for an hour", async () => {
  expect(await get()).toMatchObject({
    status: 200,
    body: CODE,
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": expect.stringContaining("max-age=3600"),
      "cross-origin-resource-policy": "cross-origin",
      vary: "accept-encoding",
    },
  });
});

test.each(["gzip", "br, gzip;q=0.8", "*", "GZIP"])("it is compressed for %s", async (accepted) => {
  const { body, headers } = await get({ "accept-encoding": accepted });
  expect(headers).toMatchObject({ "content-encoding": "gzip" });
  expect(gunzipSync(body as Uint8Array).toString()).toBe(CODE);
});

test.each(["br", "gzip;q=0", "gzip;q=0.0, br", "x-gzipped", ""])("it is not for %j", async (accepted) => {
  const { body, headers } = await get({ "accept-encoding": accepted });
  expect(headers).not.toHaveProperty("content-encoding");
  expect(body).toBe(CODE);
});

test("a copy that is still good is not sent again; another version's is", async () => {
  const etag = (await get()).headers?.etag ?? "";
  for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    expect(await get({ "if-none-match": tags })).toMatchObject({ status: 304, headers: { etag } });
  }
  expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
  expect((await snippetHandler(`${CODE} `)(request("", { headers: { "if-none-match": etag } }))).status).toBe(
    200,
  );
});
