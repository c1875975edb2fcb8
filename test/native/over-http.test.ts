import { existsSync } from "node:fs";
import { engineClientConfig } from "../../infra/local/engine/engine";
import { type Demo, seed } from "../../infra/local/seed";
import { type LocalService, startLocal } from "../../infra/local/service";
import { SECOND } from "../../shared/domain/instant";
import { createDynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";
import {
  CALENDLY_KEY,
  calendlyEvent,
  calendlySignature,
  STRIPE_SECRET,
  session,
  stripeEvent,
  stripeSignature,
} from "./builders";

/** The service as deployed: bundles, routes, roles and KMS as the template has them. Needs `npm run synth`. */
let service: LocalService;
let demo: Demo;
let cookie: string;

beforeAll(async () => {
  expect(existsSync(".build/functions/native/index.cjs")).toBe(true);
  service = await startLocal();
  const dynamo = createDynamo(engineClientConfig(service.dynamoUrl));
  const tables = service.tables as Record<TableId, string>;
  demo = await seed({ baseUrl: service.baseUrl, dynamo, tables, secrets: service.secrets, demo: true });
  dynamo.destroy();
  const login = await send("POST", `${service.baseUrl}/api/auth/login`, demo.dashboard, {
    origin: service.baseUrl,
  });
  cookie = String(login.headers.get("set-cookie")).split(";")[0] ?? "";
}, 60_000);
afterAll(() => service.close());

const send = (method: string, url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, {
    method,
    body: typeof body === "string" ? body : JSON.stringify(body),
    headers: { "content-type": "application/json", ...(cookie ? { cookie } : {}), ...headers },
  });

const manage = (method: string, path: string, body: unknown) =>
  send(
    method,
    `${service.baseUrl}/api/manage/sites/${demo.sites[0]?.site_id}/native-integrations${path}`,
    body,
    {
      origin: service.baseUrl,
    },
  ).then((answer) => answer.json() as Promise<Record<string, string>>);

async function purchases(): Promise<unknown> {
  const answer = await fetch(`${service.baseUrl}/v1/revenue?site_id=${demo.sites[0]?.site_id}&period=today`, {
    headers: { authorization: `Bearer ${demo.api_key}`, "cache-control": "no-cache" },
  });
  return ((await answer.json()) as { totals: unknown }).totals;
}

test("a payment that Stripe signed is in the figures as soon as it was answered", async () => {
  const { id, url = "" } = await manage("POST", "", { kind: "stripe" });
  const body = JSON.stringify(
    stripeEvent("checkout.session.completed", session(), { created: Math.floor(Date.now() / SECOND) }),
  );
  const post = (secret = STRIPE_SECRET, sent = body) =>
    send("POST", url, sent, { "stripe-signature": stripeSignature(body, secret, Date.now()) });

  expect((await post()).status).toBe(401);
  await manage("PATCH", `/${id}`, { signing_secret: STRIPE_SECRET });
  expect((await post("whsec_another")).status).toBe(401);
  expect((await post(STRIPE_SECRET, body.replace("4900", "1"))).status).toBe(401);

  const taken = await post();
  expect(taken.status).toBe(200);
  expect(await taken.json()).toMatchObject({ outcome: "accepted", event_type: "Purchase" });
  expect(await purchases()).toMatchObject({ purchases: 1, revenue: 49 });
  expect((await post()).status).toBe(200);
  expect(await purchases()).toMatchObject({ purchases: 1, revenue: 49 });
});

test("a booking that Calendly signed is taken, and nothing else on its address", async () => {
  const { url = "" } = await manage("POST", "", { kind: "calendly", signing_secret: CALENDLY_KEY });
  const body = JSON.stringify(calendlyEvent({ created_at: new Date().toISOString() }));
  const headers = { "calendly-webhook-signature": calendlySignature(body, CALENDLY_KEY, Date.now()) };
  expect((await fetch(url)).status).toBe(405);
  expect((await send("POST", `${url}x`, body, headers)).status).toBe(404);
  expect((await send("POST", url, "x".repeat(256 * 1024 + 1), headers)).status).toBe(413);
  expect(await (await send("POST", url, body, headers)).json()).toMatchObject({ outcome: "accepted" });
});
