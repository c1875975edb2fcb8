import { ROUTES as OPERATIONS } from "../../functions/manage/routes";
import { FUNCTIONS, type FunctionSpec } from "../../infra/manifest";
import { AI_ACCESS_ROUTE } from "../../shared/domain/access/api-key-record";
import { ERRORS } from "../../shared/domain/errors";
import { CHROME, NASTY, ODD_SEGMENTS } from "./inputs";
import { type Heard, type Sent, type Service, startService } from "./service";

/** Callers wait no longer than this for any answer. */
const PATIENCE_MS = 5_000;
const AT_ONCE = 8;

/** Of the manifest, so that a new route is attacked without being named here. */
const routes = Object.values<FunctionSpec>(FUNCTIONS).flatMap(({ routes = [], authorized = false }) =>
  routes.map((route) => ({ route, authorized })),
);

let service: Service;
let session: string;

beforeAll(async () => {
  service = await startService();
  session = await logIn();
}, 60_000);
afterAll(() => service.close());

test.each(routes)("$route stands whatever it is sent", async ({ route, authorized }) => {
  const known = {
    ...browser(),
    // Logging out is for a session of its own.
    cookie: route.includes("/logout") ? await logIn() : session,
    ...(authorized ? { authorization: `Bearer ${await newKey(route)}` } : {}),
  };
  const attacks = addressesOf(route).flatMap(({ method, path, odd }) =>
    (odd ? NASTY.slice(0, 3) : NASTY).map(([what, { query, ...sent }]): [string, Sent] => [
      what,
      {
        ...{ method, path: query === undefined ? path : `${path}?${query}`, ...sent },
        headers: { ...known, ...sent.headers },
      },
    ]),
  );
  const faults: string[] = [];
  await inTurns(attacks, async ([what, sent]) => {
    const heard = await service.call(sent);
    const fault = faultOf(sent, heard);
    if (fault) faults.push(`${sent.method} ${sent.path.slice(0, 80)} with ${what}: ${fault}`);
  });
  expect(faults).toEqual([]);
  expect(service.troubles()).toEqual([]);
});

/** What a page of ours sends by itself; without it requests would be turned away as a bot's, or as another site's. */
const browser = () => ({
  "user-agent": CHROME,
  origin: service.demo.base_url,
  host: new URL(service.demo.base_url).host,
});

/** What is wrong with an answer, or nothing. */
function faultOf({ method }: Sent, { status, headers, text, ms }: Heard): string | undefined {
  if (ms > PATIENCE_MS) return `took ${Math.round(ms)} ms`;
  if (status >= 500) return `${status} ${text}`;
  if (status < 400 || method === "HEAD") return undefined;
  const { error, code, jsonrpc } = objectIn(text);
  if (jsonrpc === "2.0")
    return typeof Object(error).message === "string" ? undefined : `says nothing: ${text}`;
  if (!/^application\/json/.test(headers["content-type"] ?? "")) return `is ${headers["content-type"]}`;
  if (typeof error !== "string" || error === "") return `${status} says nothing: ${text}`;
  const known = Object.entries(ERRORS).find(([name]) => name === code);
  return known?.[1][0] === status ? undefined : `${status} is not the status of ${String(code)}`;
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(text) };
  } catch {
    return {};
  }
}

/** Where a route can be called: at what it names, and at what nobody would name. */
function addressesOf(route: string): { method: string; path: string; odd?: true }[] {
  if (route === "$default")
    return ["/", "/v1", "//v1/overview", "/v1/%2e%2e/x"].map((path) => ({ method: "GET", path }));
  const [method = "", template = ""] = route.split(" ");
  if (!template.includes("{")) return [{ method, path: template }];
  const [prefix = ""] = template.split("{");
  const odd = ODD_SEGMENTS.map((segment) => ({
    method: method === "ANY" ? "POST" : method,
    path: prefix + segment,
    odd: true as const,
  }));
  const named = method === "ANY" ? operationsUnder(prefix) : [{ method, path: prefix + token() }];
  return [...named, ...odd];
}

const operationsUnder = (prefix: string) =>
  OPERATIONS.filter(({ path }) => path.startsWith(prefix)).map(({ method, path }) => ({
    method,
    path: path.replace("{key_id}", `key_${"0".repeat(26)}`).replaceAll(/\{\w+\}/g, "1"),
  }));

/** The last part of a receiving URL that exists. */
const token = (): string => service.demo.receiving_webhooks[0]?.url.split("/").at(-1) ?? "";

async function logIn(): Promise<string> {
  const { headers } = await post("/api/auth/login", service.demo.dashboard);
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

/** A key of its own for each route, so that none uses up another's rate limit. */
async function newKey(route: string): Promise<string> {
  const site = `/api/manage/sites/${service.demo.sites[0]?.site_id}`;
  const { text } =
    route === AI_ACCESS_ROUTE
      ? await post(`${site}/ai-access`, {})
      : await post(`${site}/api-keys`, { name: "attacker" });
  return String(objectIn(text).value);
}

async function post(path: string, body: unknown): Promise<Heard> {
  const headers = { "content-type": "application/json", ...(session ? { cookie: session } : {}) };
  const heard = await service.call({ method: "POST", path, headers, body: JSON.stringify(body) });
  expect(heard.status).toBeLessThan(300);
  return heard;
}

async function inTurns<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
