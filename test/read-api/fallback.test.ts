import { answerUnrouted } from "../../functions/fallback/handler";
import { ROUTES } from "../../functions/fallback/routes";
import { FUNCTIONS, type FunctionSpec } from "../../infra/manifest";
import { httpFunction } from "../../shared/lambda/http";
import { codeOf, event, send } from "./support";

const ask = (method: string, path: string, routes: readonly string[] = ROUTES) =>
  send(httpFunction(answerUnrouted(routes)), event("site_id=12", { method, path }));

test("its list of routes is that of the deployed service", () => {
  const specs: FunctionSpec[] = Object.values(FUNCTIONS);
  const deployed = specs.flatMap(({ routes = [] }) => routes).filter((route) => route !== "$default");
  expect([...ROUTES].sort()).toEqual([...deployed].sort());
});

test.each(["POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND"])(
  "%s of a read endpoint is 405 and says what is allowed",
  async (method) => {
    const answer = await ask(method, "/v1/overview");
    expect([answer.status, codeOf(answer), answer.headers.allow]).toEqual([405, "METHOD_NOT_ALLOWED", "GET"]);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  },
);

test("an address of several methods names them all", async () => {
  expect((await ask("GET", "/api/collect")).headers.allow).toBe("POST, OPTIONS");
});

test("a parameter stands for one segment that is not empty", async () => {
  const routes = ["POST /a/{id}/b"];
  expect((await ask("GET", "/a/1/b", routes)).status).toBe(405);
  for (const path of ["/a//b", "/a/1/2/b", "/a/1", "/a/1/b/"])
    expect((await ask("GET", path, routes)).status).toBe(404);
});

test("a greedy parameter stands for any number of segments from one up", async () => {
  const routes = ["POST /a/{rest+}"];
  for (const path of ["/a/1", "/a/1/2", "/a/1/", "/a//1"])
    expect((await ask("GET", path, routes)).status).toBe(405);
  for (const path of ["/a", "/a/", "/b/1"]) expect((await ask("GET", path, routes)).status).toBe(404);
});

test.each([
  "/",
  "",
  "/v1",
  "/v1/",
  "/v1/overview/",
  "/v1/Overview",
  "/v2/overview",
  "/v1//overview",
  "/v1/overview%00",
  "//v1/overview",
  "/api/webhooks/in/",
  "/api/manage",
  "/../etc/passwd",
  `/${"a/".repeat(5_000)}`,
])("%j is 404", async (path) => {
  const answer = await ask("GET", path);
  expect([answer.status, codeOf(answer)]).toEqual([404, "NOT_FOUND"]);
});
