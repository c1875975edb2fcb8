import { MINUTE, toIso } from "../../shared/domain/instant";
import { createReceivingWebhookDirectory } from "../../shared/storage/conversion/receiving-webhooks";
import { startInbound } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import type { Browser } from "./browser";
import { NOW, type Service, type SomeWorkspace, someWorkspace, startService } from "./support";

let engine: Engine;
let service: Service;
let shop: SomeWorkspace;
let stranger: SomeWorkspace;
let owner: Browser;
let member: Browser;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(async () => {
  service = startService(engine);
  [shop, stranger] = [await someWorkspace(service.config), await someWorkspace(service.config)];
  [owner, member] = [await service.loggedIn(shop.owner), await service.loggedIn(shop.member)];
});

const webhooksOf = (site: { id: number }) => `/api/manage/sites/${site.id}/receiving-webhooks`;
const eventsOf = (site: { id: number }) => `/api/manage/sites/${site.id}/custom-events`;
const notFound = { status: 404, body: { code: "NOT_FOUND" } };
const badRequest = (text: string) => ({
  status: 400,
  body: { code: "BAD_REQUEST", error: expect.stringContaining(text) },
});

const create = (body: object, site = shop.one, browser = owner) =>
  browser.send("POST", webhooksOf(site), { body: { name: "Checkout", event_type: "Purchase", ...body } });
const tokenOf = (url: string): string => url.split("/").at(-1) ?? "";
const found = (url: string) =>
  createReceivingWebhookDirectory(engine.dynamo, engine.tables.Config).findByToken(tokenOf(url));

describe("a receiving webhook", () => {
  test("is created with a URL that works at once, and is shown again, URL and all, to whoever has access", async () => {
    const created = await create({ name: " Checkout ", also_fire_to_ad_platforms: true }, shop.two);
    expect(created).toMatchObject({
      status: 201,
      headers: { "cache-control": "no-store" },
      body: {
        id: expect.stringMatching(/^whin_[0-9a-z]{26}$/),
        name: "Checkout",
        event_type: "Purchase",
        url: expect.stringMatching(/^https:\/\/app\.example\/api\/webhooks\/in\/\d+-[0-9a-z]{26}-[\w-]{43}$/),
        also_fire_to_ad_platforms: true,
        created: toIso(NOW),
        warning: null,
      },
    });
    await expect(found(created.body.url)).resolves.toMatchObject({ id: created.body.id, forwardToAds: true });
    for (const browser of [owner, member]) {
      const one = await browser.send("GET", `${webhooksOf(shop.two)}/${created.body.id}`);
      expect(one).toMatchObject({ status: 200, body: created.body });
      const list = await browser.send("GET", webhooksOf(shop.two));
      expect(list).toMatchObject({ status: 200, body: { receiving_webhooks: [created.body] } });
    }
  });

  test("of another's site is neither seen nor touched, whichever way it is asked for", async () => {
    const { body } = await create({});
    const other = await service.loggedIn(stranger.owner);
    for (const [browser, site] of [
      [member, shop.one],
      [other, shop.one],
      [other, stranger.one],
    ] as const) {
      const one = `${webhooksOf(site)}/${body.id}`;
      await expect(browser.send("GET", one)).resolves.toMatchObject(notFound);
      await expect(browser.send("GET", `${one}/receipts`)).resolves.toMatchObject(notFound);
      await expect(browser.send("PATCH", one, { body: { name: "Mine" } })).resolves.toMatchObject(notFound);
      await expect(browser.send("DELETE", one)).resolves.toMatchObject(notFound);
    }
    await expect(member.send("GET", webhooksOf(shop.one))).resolves.toMatchObject(notFound);
    await expect(create({}, shop.one, member)).resolves.toMatchObject(notFound);
    await expect(found(body.url)).resolves.toMatchObject({ name: "Checkout" });
  });

  test.each([
    [{ name: "" }, "name"],
    [{ name: "x".repeat(101) }, "name"],
    [{ event_type: "" }, "event_type"],
    [{ event_type: "purchase" }, "event_type"],
    [{ event_type: " Lead" }, "event_type"],
    [{ event_type: "Custom" }, "event_type"],
    [{ event_type: "a\nb" }, "event_type"],
    [{ event_type: "x".repeat(101) }, "event_type"],
    [{ event_type: 5 }, "event_type"],
    [{ event_type: ["Lead"] }, "event_type"],
    [{ also_fire_to_ad_platforms: "yes" }, "also_fire_to_ad_platforms"],
    [{ url: "https://mine.example" }, "url"],
  ])("is not created of %j, and the field is named", async (body, field) => {
    await expect(create(body)).resolves.toMatchObject(badRequest(field));
  });

  test("is renamed and switched, both or either, at the same time as well; its URL and type stay", async () => {
    const { body } = await create({});
    const one = `${webhooksOf(shop.one)}/${body.id}`;
    await Promise.all([
      owner.send("PATCH", one, { body: { name: "Till" } }),
      owner.send("PATCH", one, { body: { also_fire_to_ad_platforms: true } }),
      owner.send("PATCH", one, { body: {} }),
    ]);
    const changed = { ...body, name: "Till", also_fire_to_ad_platforms: true };
    expect((await owner.send("GET", one)).body).toEqual(changed);
    await expect(owner.send("PATCH", one, { body: { event_type: "Lead" } })).resolves.toMatchObject(
      badRequest("event_type: is fixed"),
    );
    await expect(owner.send("PATCH", one, { body: { name: "" } })).resolves.toMatchObject(badRequest("name"));
    expect((await owner.send("GET", one)).body).toEqual(changed);
  });

  test("is dead at once when it is deleted, which is once only", async () => {
    const { body } = await create({ event_type: "Demo booked" });
    const inbound = startInbound(engine);
    const post = () => inbound.post(tokenOf(body.url), { email: "a@b.example" });
    await expect(post()).resolves.toMatchObject({ status: 200 });
    const one = `${webhooksOf(shop.one)}/${body.id}`;
    const answers = await Promise.all([1, 2, 3].map(() => owner.send("DELETE", one)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    await expect(post()).resolves.toMatchObject({ status: 404, body: { outcome: null } });
    for (const path of [one, `${one}/receipts`]) {
      await expect(owner.send("GET", path)).resolves.toMatchObject(notFound);
    }
    await expect(owner.send("PATCH", one, { body: { name: "x" } })).resolves.toMatchObject(notFound);
    expect((await owner.send("GET", webhooksOf(shop.one))).body).toEqual({ receiving_webhooks: [] });
  });

  test("there are 200 of at most, to the one, also when many are created at the same time", async () => {
    for (let i = 0; i < 19; i++) {
      const made = await Promise.all(Array.from({ length: 10 }, () => create({})));
      expect(made.map(({ status }) => status)).toEqual(Array(10).fill(201));
    }
    const more = await Promise.all(Array.from({ length: 15 }, () => create({})));
    expect(more.filter(({ status }) => status === 201)).toHaveLength(10);
    const full = { status: 409, body: { code: "CONFLICT", error: expect.stringContaining("200") } };
    expect(more.filter(({ status }) => status !== 201)).toMatchObject(Array(5).fill(full));
    const list = await owner.send("GET", webhooksOf(shop.one));
    expect(list.body.receiving_webhooks).toHaveLength(200);
    await expect(create({}, shop.two)).resolves.toMatchObject({ status: 201 });

    await owner.send(
      "DELETE",
      `${webhooksOf(shop.one)}/${more.find(({ status }) => status === 201)?.body.id}`,
    );
    const again = await Promise.all([create({}), create({})]);
    expect(again.map(({ status }) => status).sort()).toEqual([201, 409]);
  }, 60_000);

  test("whose sealing key is lost is shown without its URL, which goes on working", async () => {
    const { body } = await create({});
    const another = startService(engine);
    const browser = await another.loggedIn(shop.owner);
    const one = `${webhooksOf(shop.one)}/${body.id}`;
    await expect(browser.send("GET", one)).resolves.toMatchObject({ status: 200, body: { url: null } });
    await expect(found(body.url)).resolves.toMatchObject({ id: body.id });
    await expect(browser.send("DELETE", one)).resolves.toMatchObject({ status: 204 });
  });
});

describe("the amber warning", () => {
  test("is on every webhook whose event type a native integration reports, and on no other", async () => {
    await create({});
    await create({ event_type: "Lead" });
    service.native.set(shop.one.id, [
      { kind: "stripe", eventType: "Purchase" },
      { kind: "calendly", eventType: "Schedule" },
    ]);
    const message = expect.stringContaining("reported by stripe");
    const warned = { event_type: "Purchase", warning: { reported_by: ["stripe"], message } };
    const { body } = await owner.send("GET", webhooksOf(shop.one));
    expect(body.receiving_webhooks).toMatchObject([warned, { event_type: "Lead", warning: null }]);
    expect((await create({})).body).toMatchObject(warned);
    expect((await create({}, shop.two)).body).toMatchObject({ warning: null });
  });
});

describe("custom events", () => {
  const events = async (site = shop.one) => (await owner.send("GET", eventsOf(site))).body.custom_events;

  test("come from custom-named webhooks, once each, say who uses them, and outlive them", async () => {
    const name = "Call / Gespräch 📞";
    const first = await create({ event_type: name });
    service.time.now += MINUTE;
    const second = await create({ event_type: `  ${name.normalize("NFD")} ` });
    await create({ event_type: "A first" });
    await create({ event_type: "Lead" });
    expect(second.body.event_type).toBe(name);
    const call = { id: expect.stringMatching(/^cev_[0-9a-f]{32}$/), name, created: toIso(NOW) };
    const both = [first.body.id, second.body.id].sort();
    expect(await events()).toMatchObject([{ name: "A first" }, { ...call, used_by: both }]);
    expect(await events(shop.two)).toEqual([]);

    await owner.send("DELETE", `${webhooksOf(shop.one)}/${first.body.id}`);
    expect((await events())[1]).toEqual({ ...call, used_by: [second.body.id] });
    await owner.send("DELETE", `${webhooksOf(shop.one)}/${second.body.id}`);
    expect((await events())[1]).toEqual({ ...call, used_by: [] });
    expect((await create({ event_type: name })).status).toBe(201);
    expect((await events())[1]).toMatchObject(call);
  });

  test("are deleted when nothing uses them, and not before", async () => {
    const { body } = await create({ event_type: "Webinar" });
    const [{ id }] = await events();
    const one = `${eventsOf(shop.one)}/${id}`;
    await expect(owner.send("DELETE", one)).resolves.toMatchObject({
      status: 409,
      body: { code: "CONFLICT" },
    });
    await owner.send("DELETE", `${webhooksOf(shop.one)}/${body.id}`);
    await expect(member.send("DELETE", one)).resolves.toMatchObject(notFound);
    await expect(owner.send("DELETE", `${eventsOf(shop.two)}/${id}`)).resolves.toMatchObject(notFound);
    await expect(owner.send("DELETE", one)).resolves.toMatchObject({ status: 204 });
    await expect(owner.send("DELETE", one)).resolves.toMatchObject(notFound);
    expect(await events()).toEqual([]);
  });

  test("are never gone while a webhook has their name, however deletion and creation meet", async () => {
    for (let round = 0; round < 10; round++) {
      const { body } = await create({ event_type: "Raced" });
      const [{ id }] = await events();
      await owner.send("DELETE", `${webhooksOf(shop.one)}/${body.id}`);
      const [, created] = await Promise.all([
        owner.send("DELETE", `${eventsOf(shop.one)}/${id}`),
        create({ event_type: "Raced" }),
      ]);
      expect(await events()).toMatchObject([{ id, name: "Raced", used_by: [created.body.id] }]);
      await owner.send("DELETE", `${webhooksOf(shop.one)}/${created.body.id}`);
    }
  });

  test("are not registered when the webhook is refused", async () => {
    await expect(create({ name: "", event_type: "Never" })).resolves.toHaveProperty("status", 400);
    expect(await events()).toEqual([]);
  });
});

describe("receipts", () => {
  test("are the last 25, 5 a page, newest first", async () => {
    const { body } = await create({ event_type: "Lead" });
    const inbound = startInbound(engine);
    const path = `${webhooksOf(shop.one)}/${body.id}/receipts`;
    await expect(owner.send("GET", path)).resolves.toMatchObject({
      status: 200,
      body: { receipts: [], page: 1, pages: 0 },
    });
    for (let i = 0; i < 27; i++) {
      inbound.now += 1_000;
      await inbound.post(tokenOf(body.url), { email: `${i}@x.example`, token: "s3cr3t" });
    }
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4, 5]) {
      const { body } = await pageOf(path, `page=${page}`);
      expect(body).toMatchObject({ page, pages: 5 });
      expect(body.receipts).toHaveLength(5);
      seen.push(...body.receipts.map((receipt: { payload_preview: string }) => receipt.payload_preview));
    }
    const newestFirst = Array.from(
      { length: 25 },
      (_, i) => `{"email":"${26 - i}@x.example","token":"[hidden]"}`,
    );
    expect(seen).toEqual(newestFirst);
    const first = await pageOf(path, "");
    expect(first.body.receipts[0]).toEqual({
      id: expect.stringMatching(/^rct_/),
      outcome: "accepted",
      time: toIso(inbound.now),
      payload_preview: newestFirst[0],
      event_id: expect.stringMatching(/^evt_/),
      matched_by: null,
      link_status: null,
      link_line: null,
    });
  });

  test.each(["page=0", "page=6", "page=", "page=1.0", "page=x", "page=1&page=9"])(
    "%s is refused by name",
    async (query) => {
      const { body } = await create({});
      const path = `${webhooksOf(shop.one)}/${body.id}/receipts`;
      await expect(pageOf(path, query)).resolves.toMatchObject(
        badRequest("page: must be a whole number from 1 to 5"),
      );
    },
  );

  test("say in words how the look-up of an existing e-mail ended", async () => {
    const { body } = await create({});
    const receipt = {
      id: `rct_${"0".repeat(26)}`,
      site: shop.one.id,
      webhook: body.id,
      at: NOW,
      event: null,
    };
    const rest = { outcome: "accepted", preview: "{}", matchedBy: null, link: "not_found" } as const;
    await service.receipts.write({ ...receipt, ...rest });
    const { body: page } = await pageOf(`${webhooksOf(shop.one)}/${body.id}/receipts`, "");
    expect(page.receipts).toMatchObject([
      { link_status: "not_found", link_line: "Existing email not found" },
    ]);
  });

  const pageOf = (path: string, query: string) => owner.send("GET", path, { query });
});
