import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Browser, BrowserContext } from "playwright-core";
import { SECOND } from "../../shared/domain/instant";
import { launchBrowser } from "../support/browser";
import { logIn, overview, post, within } from "./people";
import { type Running, startService } from "./service";
import { openShop, openWorkspace, type Shop } from "./shop";

/** The purpose of it all: a visit and a sale become a figure. */

const PAID_SEARCH = "?utm_source=google&utm_medium=cpc&utm_campaign=brand&gclid=click-1";
const PAID_SOCIAL = "?utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn&fbclid=post-1";
const NEWSLETTER = "?utm_source=newsletter&utm_medium=email&utm_campaign=october";

/** The contract's freshness: a page view is in the figures within this, a conversion at once. */
const PAGEVIEW_MS = 5 * SECOND;

let service: Running;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([startService(), launchBrowser()]);
}, 60_000);
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

/** Somebody with a browser of their own. */
async function somebody(): Promise<{ context: BrowserContext; evid(): Promise<string> }> {
  const context = await browser.newContext();
  return {
    context,
    async evid() {
      const cookie = (await context.cookies()).find(({ name }) => name === "_evid");
      if (!cookie) throw new Error("the snippet has set no cookie");
      return cookie.value;
    },
  };
}

const figures = async (shop: Shop) => (await overview(service, shop)).body;

const pageviews = (shop: Shop, count: number) =>
  within(PAGEVIEW_MS, async () => (await figures(shop)).totals.pageviews === count);

const purchase = (evid: string, order: string, value: number) => ({
  ...{ evid, order_id: order, value, currency: "USD" },
  email: `${order}@example.com`,
});

test("an ad, a walk through the shop and a sale posted to a secret URL become one session, one visitor, five page views, and revenue of that ad", async () => {
  const shop = await openShop(service);
  const { context, evid } = await somebody();
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${shop.url}${PAID_SEARCH}`);
  await page.getByRole("link", { name: "Lookbook" }).click();
  await page.getByRole("link", { name: "Evening" }).click(); // without loading a page
  await page.getByRole("heading", { name: "Evening" }).waitFor();
  await page.getByRole("link", { name: "Kettle" }).click();
  await page.getByRole("link", { name: "Buy" }).click();
  await page.waitForURL(/thanks/);
  await pageviews(shop, 5);

  const sold = await post(shop.purchases, purchase(await evid(), "1001", 89.5));
  expect(sold).toMatchObject({ status: 200, body: { outcome: "accepted", matched_by: "visitor_id" } });
  expect(await figures(shop)).toMatchObject({
    totals: { sessions: 1, unique_visitors: 1, pageviews: 5, revenue: 89.5, leads: 0, purchases: 1 },
    by_source: [
      { source: "google", channel: "Paid Search", sessions: 1, revenue: 89.5, leads: 0, purchases: 1 },
    ],
  });
  expect(errors).toEqual([]);
  await context.close();
});

test("another visitor is another, a returning one is not, and a sale is the latest ad's", async () => {
  const shop = await openShop(service);
  const [anna, ben] = [await somebody(), await somebody()];
  await (await anna.context.newPage()).goto(`${shop.url}${PAID_SEARCH}`);
  await (await ben.context.newPage()).goto(`${shop.url}/lamp${PAID_SOCIAL}`);
  await pageviews(shop, 2);
  await (await anna.context.newPage()).goto(`${shop.url}${NEWSLETTER}`);
  await pageviews(shop, 3);
  await post(shop.purchases, purchase(await anna.evid(), "2001", 24));
  await post(shop.purchases, purchase(await ben.evid(), "2002", 129));
  expect(await figures(shop)).toMatchObject({
    totals: { sessions: 3, unique_visitors: 2, pageviews: 3, revenue: 153, purchases: 2 },
    by_source: [
      { source: "facebook", channel: "Paid Social", sessions: 1, revenue: 129 },
      { source: "newsletter", channel: "Email", sessions: 1, revenue: 24 },
      { source: "google", channel: "Paid Search", sessions: 1, revenue: 0 },
    ],
  });
  await Promise.all([anna.context.close(), ben.context.close()]);
});

test("the same sale again is deduped, also when several tools post it at once, and counts once", async () => {
  const shop = await openShop(service);
  const sale = purchase("nobody-known", "3001", 10);
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(shop.purchases, sale)));
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  expect(answers.map(({ body }) => body.outcome).sort()).toEqual(["accepted", ...Array(7).fill("deduped")]);
  expect(await figures(shop)).toMatchObject({
    totals: { sessions: 0, revenue: 10, purchases: 1 },
    by_source: [{ source: "(none)", channel: "Unattributed", revenue: 10, purchases: 1 }],
  });
});

test("the event bus hears of a conversion, without the person, and nothing is left to announce", async () => {
  const shop = await openShop(service);
  const { body } = await post(shop.purchases, purchase("nobody-known", "4001", 10));
  const heard = await within(10 * SECOND, async () =>
    (await service.heard(2)).find(({ detail }) => detail.event_id === body.event_id),
  );
  expect(heard).toMatchObject({
    "detail-type": "conversion.recorded",
    detail: { site_id: shop.site, event_type: "Purchase", value: 10, currency: "USD" },
  });
  expect(JSON.stringify(heard)).not.toContain("@");
  await within(5 * SECOND, async () => {
    const all = await service.dynamo.send(new ScanCommand({ TableName: service.tables.Deliveries }));
    return (all.Items ?? []).every(({ pk }) => !String(pk).startsWith("outbox#"));
  });
});

test("an answer is kept for the next caller, and no-cache reads afresh", async () => {
  const shop = await openShop(service);
  const ask = (fresh: boolean) => overview(service, { ...shop, fresh });
  const [first, second] = [await ask(false), await ask(false)];
  await post(shop.purchases, purchase("nobody-known", "5001", 10));
  const [kept, fresh, refilled] = [await ask(false), await ask(true), await ask(false)];
  const seen = [first, second, kept, fresh, refilled];
  expect(seen.map(({ headers }) => headers.get("x-cache"))).toEqual(["MISS", "HIT", "HIT", "MISS", "HIT"]);
  expect(seen.map(({ body }) => body.totals.purchases)).toEqual([0, 0, 0, 1, 1]);
});

test("a key revoked at the dashboard is refused at once, and no other", async () => {
  const shop = await openShop(service);
  const manage = await logIn(service, service.demo.dashboard);
  const keys = `/sites/${shop.site}/api-keys`;
  const created = await manage("POST", keys, { name: "Second" });
  expect(created.status).toBe(201);
  const second = { ...shop, key: created.body.value };
  expect((await overview(service, second)).status).toBe(200);
  expect((await manage("DELETE", `${keys}/${created.body.id}`)).status).toBe(204);
  expect(await overview(service, { ...second, fresh: false })).toMatchObject({
    status: 401,
    body: { code: "INVALID_API_KEY" },
  });
  expect((await overview(service, shop)).status).toBe(200);
});

test("a plan below Unlimited refuses the key, and the upgrade lets it in again, each at once", async () => {
  const shop = await openShop(service, await openWorkspace(service));
  const manage = await logIn(service, shop.member);
  expect((await manage("PATCH", "/plan", { plan: "growth" })).status).toBe(200);
  expect(await overview(service, shop)).toMatchObject({ status: 403, body: { code: "TIER_NO_API_ACCESS" } });
  expect(await overview(service, { ...shop, fresh: false })).toMatchObject({ status: 403 });
  expect((await manage("PATCH", "/plan", { plan: "unlimited" })).status).toBe(200);
  expect((await overview(service, shop)).status).toBe(200);
});

test("a request without a key reaches the service, and gets the contract's own refusal", async () => {
  const answer = await overview(service, { site: 1, key: null });
  expect(answer).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED", error: expect.any(String) } });
  expect(Object.keys(answer.body).sort()).toEqual(["code", "error"]);
  await expect(overview(service, { site: 1, key: "" })).resolves.toMatchObject({ status: 401 });
});

test("two workspaces know nothing of each other", async () => {
  const ours = await openShop(service);
  const theirs = await openShop(service, await openWorkspace(service));
  await post(ours.purchases, purchase("nobody-known", "6001", 10));
  for (const [site, { key }] of [
    [ours.site, theirs],
    [theirs.site, ours],
    [987_654, ours],
  ] as const) {
    await expect(overview(service, { site, key })).resolves.toMatchObject({
      status: 403,
      body: { code: "SITE_ACCESS_DENIED" },
    });
  }
  expect((await figures(theirs)).totals).toMatchObject({ revenue: 0, purchases: 0 });
  const manage = await logIn(service, theirs.member);
  const [foreign, none] = await Promise.all(
    [ours.site, 987_654].map((site) => manage("GET", `/sites/${site}/api-keys`)),
  );
  expect(foreign).toMatchObject({ status: 404 });
  expect(foreign?.body).toEqual(none?.body);
});
