import { createNativeDirectory } from "../../shared/storage/native/native-directory";
import { createNativeSources } from "../../shared/storage/native/native-integrations";
import type { Browser } from "../access/browser";
import { type Service, type SomeWorkspace, someWorkspace, startService } from "../access/support";
import { itemsOf } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { CALENDLY_KEY, NOON, STRIPE_SECRET } from "./builders";

let engine: Engine;
let service: Service;
let shop: SomeWorkspace;
let owner: Browser;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  service = startService(engine);
  shop = await someWorkspace(service.config);
  owner = await service.loggedIn(shop.owner);
});

const path = (site = shop.one) => `/api/manage/sites/${site.id}/native-integrations`;
const connect = (body: object) => owner.send("POST", path(), { body });
const listed = async () =>
  (await owner.send("GET", path())).body.native_integrations as Record<string, unknown>[];
const tokenOf = (view: Record<string, unknown>) => String(view.url).split("/").at(-1) ?? "";
const directory = () => createNativeDirectory(engine.dynamo, engine.tables.Config);
const reporting = () => createNativeSources(service.config).reporting(shop.one.id);

test("an integration is made with its URL; the signing secret follows and is never shown", async () => {
  const made = await connect({ kind: "stripe" });
  expect(made).toMatchObject({
    status: 201,
    body: {
      id: expect.stringMatching(/^nint_[0-9a-z]{26}$/),
      kind: "stripe",
      event_type: "Purchase",
      url: expect.stringMatching(/^https?:\/\/[^/]+\/api\/webhooks\/stripe\/\d+-[A-Za-z0-9_-]{43}$/),
      signing_secret_set: false,
      also_fire_to_ad_platforms: false,
      count_first_invoices: false,
      status: "needs_signing_secret",
      last_received: null,
      last_outcome: null,
      last_reason: null,
    },
  });
  const entered = await owner.send("PATCH", `${path()}/${made.body.id}`, {
    body: { signing_secret: ` ${STRIPE_SECRET}\n` },
  });
  expect(entered).toMatchObject({ status: 200, body: { signing_secret_set: true, status: "waiting" } });
  expect(await listed()).toEqual([entered.body]);
  expect(entered.body.url).toBe(made.body.url);
  expect(JSON.stringify([made, entered])).not.toContain(STRIPE_SECRET);
});

test("neither a signing secret nor a URL's secret lies in the table", async () => {
  const { body } = await connect({ kind: "stripe", signing_secret: STRIPE_SECRET });
  const stored = JSON.stringify(await itemsOf(engine, "Config"));
  expect(stored).not.toContain(STRIPE_SECRET);
  expect(stored).not.toContain(tokenOf(body).split("-").slice(1).join("-"));
});

test("its URL leads to it, and to nothing once it is deleted", async () => {
  const { body } = await connect({ kind: "calendly", signing_secret: CALENDLY_KEY });
  const token = tokenOf(body);
  expect(await directory().findByToken("calendly", token)).toMatchObject({ id: body.id, site: shop.one.id });
  expect(await directory().findByToken("stripe", token)).toBeNull();
  const gone = `${path()}/${body.id}`;
  expect(await owner.send("DELETE", gone)).toMatchObject({ status: 204 });
  expect(await directory().findByToken("calendly", token)).toBeNull();
  for (const method of ["DELETE", "PATCH"] as const) {
    expect(await owner.send(method, gone, { body: {} })).toMatchObject({ status: 404 });
  }
  expect(await listed()).toEqual([]);
});

test("a site has one of each kind, also when two are made at once; made anew it has another URL", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => connect({ kind: "stripe" })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
  expect(await connect({ kind: "calendly" })).toMatchObject({ status: 201 });
  const [, first] = await listed();
  await owner.send("DELETE", `${path()}/${first?.id}`);
  const { body } = await connect({ kind: "stripe" });
  expect(body.url).not.toBe(first?.url);
  expect(await owner.send("POST", path(shop.two), { body: { kind: "stripe" } })).toMatchObject({
    status: 201,
  });
});

test("what it received last is shown, and no more once it is another's", async () => {
  const { body } = await connect({ kind: "stripe", signing_secret: STRIPE_SECRET });
  const integration = await directory().findByToken("stripe", tokenOf(body));
  if (!integration) throw new Error("not found");
  await directory().noteReceived(integration, { at: NOON, outcome: "bad signature", reason: null });
  expect(await listed()).toMatchObject([{ status: "bad_signature", last_outcome: "bad signature" }]);
  await directory().noteReceived(integration, { at: NOON, outcome: "ignored", reason: "No payment." });
  expect(await listed()).toMatchObject([
    {
      status: "connected",
      last_received: "2026-07-09T12:00:00.000Z",
      last_outcome: "ignored",
      last_reason: "No payment.",
    },
  ]);
  await owner.send("DELETE", `${path()}/${body.id}`);
  await connect({ kind: "stripe" });
  await directory().noteReceived(integration, { at: NOON, outcome: "accepted", reason: null });
  expect(await listed()).toMatchObject([{ last_received: null }]);
});

test("choices change by themselves, a status kept meanwhile stays", async () => {
  const { body } = await connect({ kind: "stripe", signing_secret: STRIPE_SECRET });
  const own = `${path()}/${body.id}`;
  const integration = await directory().findByToken("stripe", tokenOf(body));
  if (!integration) throw new Error("not found");
  await directory().noteReceived(integration, { at: NOON, outcome: "accepted", reason: null });
  expect(await owner.send("PATCH", own, { body: { also_fire_to_ad_platforms: true } })).toMatchObject({
    body: { also_fire_to_ad_platforms: true, count_first_invoices: false, signing_secret_set: true },
  });
  expect(await owner.send("PATCH", own, { body: { count_first_invoices: true } })).toMatchObject({
    body: { also_fire_to_ad_platforms: true, count_first_invoices: true, last_outcome: "accepted" },
  });
  expect(await owner.send("PATCH", own, { body: {} })).toMatchObject({ status: 200 });
});

test.each([
  [{}, "kind"],
  [{ kind: "paypal" }, "kind"],
  [{ kind: "stripe", signing_secret: "sk_live_123456789" }, "whsec_"],
  [{ kind: "stripe", signing_secret: "" }, "signing_secret"],
  [{ kind: "calendly", signing_secret: "two words" }, "signing_secret"],
  [{ kind: "calendly", signing_secret: "x".repeat(201) }, "signing_secret"],
  [{ kind: "stripe", url: "x" }, "url"],
])("%j is refused with its reason", async (body, reason) => {
  expect(await connect(body)).toMatchObject({
    status: 400,
    body: { code: "BAD_REQUEST", error: expect.stringContaining(reason) },
  });
});

test("first invoices are Stripe's alone", async () => {
  const { body } = await connect({ kind: "calendly" });
  expect(
    await owner.send("PATCH", `${path()}/${body.id}`, { body: { count_first_invoices: true } }),
  ).toMatchObject({ status: 400, body: { error: expect.stringContaining("count_first_invoices") } });
});

test("members see the integrations of their sites alone, strangers none", async () => {
  const { body } = await connect({ kind: "stripe" });
  const member = await service.loggedIn(shop.member);
  const stranger = await service.loggedIn((await someWorkspace(service.config)).owner);
  for (const browser of [member, stranger]) {
    expect(await browser.send("GET", path())).toMatchObject({ status: 404 });
    expect(await browser.send("DELETE", `${path()}/${body.id}`)).toMatchObject({ status: 404 });
  }
  expect(await member.send("DELETE", `${path(shop.two)}/${body.id}`)).toMatchObject({ status: 404 });
  expect(await listed()).toHaveLength(1);
});

test("what is reported natively, for the warning: the types of integrations that can take messages", async () => {
  expect(await reporting()).toEqual([]);
  await connect({ kind: "stripe", signing_secret: STRIPE_SECRET });
  const { body } = await connect({ kind: "calendly" });
  expect(await reporting()).toEqual([{ kind: "stripe", eventType: "Purchase" }]);
  await owner.send("PATCH", `${path()}/${body.id}`, { body: { signing_secret: CALENDLY_KEY } });
  expect(await reporting()).toEqual([
    { kind: "calendly", eventType: "Schedule" },
    { kind: "stripe", eventType: "Purchase" },
  ]);
});
