import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import { overview, post, within } from "./people";
import { type Running, startService } from "./service";
import { openShop, type Shop } from "./shop";

/** Real waiting is part of what is tested here: a look-up of 3 seconds instead of 24 hours, the clock each second. */
const LOOKUP_SECONDS = 3;

let service: Running;
let shop: Shop;
beforeAll(async () => {
  service = await startService({
    settings: { LINK_LOOKUP_SECONDS: String(LOOKUP_SECONDS) },
    sweepMs: SECOND,
  });
}, 60_000);
afterAll(() => service.close());
beforeEach(async () => {
  shop = await openShop(service);
});

/** What a page sends when somebody who came by an ad says who they are. */
async function identify(contact: Record<string, string>): Promise<void> {
  const start = Date.now() - MINUTE;
  const url = `${shop.url}?utm_source=google&utm_medium=cpc`;
  const visit = { id: "visit0000001", start, url };
  const page = { id: "page00000001", index: 0, url, t: start };
  const hits = [{ kind: "identify", t: Date.now(), first: true, visit, page, contact }];
  const answer = await fetch(`${service.baseUrl}/api/collect`, {
    method: "POST",
    headers: { origin: new URL(shop.url).origin, "user-agent": "Mozilla/5.0 (X11; Linux x86_64) Chrome/142" },
    body: JSON.stringify({ site: shop.site, evid: "visitor-0000001", now: Date.now(), hits }),
  });
  expect(answer.status).toBeLessThan(300);
}

const revenue = async () => {
  const { body } = await overview(service, shop);
  const rows = body.by_source.filter((row: { revenue: number }) => row.revenue > 0);
  return rows.map((row: { source: string; revenue: number }) => `${row.source} ${row.revenue}`).join();
};
const lookUps = async () => {
  const { Items = [] } = await service.dynamo.send(
    new ScanCommand({ TableName: service.tables.Deliveries, ConsistentRead: true }),
  );
  return Items.filter(({ pk }) => String(pk).startsWith("link#"));
};

test("a sale whose person appears on a page moves to their ad within seconds, and the bus hears of it", async () => {
  const sale = { email: "ann@work.example", existing_email: "ann@home.example", value: 20 };
  const { body } = await post(shop.purchases, sale);
  expect(body).toMatchObject({
    ok: true,
    event_type: "Purchase",
    matched_by: null,
    link: { status: "pending", existing_email: "ann@home.example" },
  });
  expect(await revenue()).toBe("(none) 20");
  await identify({ email: "ann@home.example" });
  await within(10 * SECOND, async () => (await revenue()) === "google 20");
  const heard = await within(10 * SECOND, async () =>
    (await service.heard(2)).find(
      ({ detail }) => detail.event_id === body.event_id && detail.event_version === 2,
    ),
  );
  expect(heard).toMatchObject({ "detail-type": "conversion.moved", detail: { source: "google" } });
  expect(await lookUps()).toEqual([]);
  expect((await post(shop.purchases, sale)).body).toMatchObject({
    outcome: "deduped",
    link: { status: "linked" },
  });
}, 40_000);

test("a sale whose person does not appear in time is given up by the clock, and stays where it is", async () => {
  const sale = { email: "bob@work.example", existing_email: "bob@home.example", value: 30 };
  expect((await post(shop.purchases, sale)).body.link.status).toBe("pending");
  await within(LOOKUP_SECONDS * SECOND + 15 * SECOND, async () => (await lookUps()).length === 0);
  expect((await post(shop.purchases, sale)).body).toMatchObject({
    outcome: "deduped",
    link: { status: "not_found", existing_email: "bob@home.example" },
  });
  await identify({ email: "bob@home.example" });
  await within(10 * SECOND, async () => (await overview(service, shop)).body.totals.sessions === 1);
  expect(await revenue()).toBe("(none) 30");
}, 40_000);
