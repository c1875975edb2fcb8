import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import { NOON } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { ADS, type Ad, revenueOf, type Shop, startShop } from "./support";

let engine: Engine;
let shop: Shop;
let site = 6_000;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  shop = startShop(engine, site);
});

const PAID = "ann@work.example";
const FIRST = "ann@home.example";
const ANN = { evid: "ann-laptop-1", at: NOON - HOUR, ad: "google" as Ad };
const BOB = { evid: "bob-phone-12", at: NOON - HOUR, ad: "facebook" as Ad };
const LINKED = { status: "linked", existing_email: FIRST };
const PENDING = { status: "pending", existing_email: FIRST };

const linkOf = async (id: string) => (await shop.event(id))?.link;

describe("a person who is known", () => {
  test("linked: the sale lands on their journey and the paid e-mail becomes their second", async () => {
    await shop.identify(ANN, { email: FIRST, first_name: "Ann" });
    const sale = await shop.sale({ email: PAID, existing_email: FIRST, first_name: "Anna", phone: "+491" });
    expect(sale).toMatchObject({ outcome: "accepted", matched_by: "email", link: LINKED });
    expect(await revenueOf(shop, site)).toEqual({ google: 10 });

    const [paid, first] = [await shop.known(PAID), await shop.known(FIRST)];
    expect(paid).toMatchObject({ person: null, secondOf: { email: FIRST }, visitors: [] });
    expect(first.person).toMatchObject({
      email: FIRST,
      firstName: "Anna",
      phone: "+491",
      displayName: "Ann",
    });
    expect(await linkOf(sale.event_id)).toEqual({ existingEmail: FIRST, status: "linked", person: FIRST });
  });

  test("also when a second e-mail of theirs is named, or one with a misspelt domain", async () => {
    await shop.identify(ANN, { email: "ann@gmail.com" });
    await shop.sale({ email: PAID, existing_email: "ann@gmail.com" });
    const bySecond = await shop.sale({ email: "third@home.example", existing_email: PAID, value: 20 });
    expect(bySecond.link).toEqual({ status: "linked", existing_email: PAID });
    const misspelt = await shop.sale({ email: "fourth@home.example", existing_email: "Ann@gmial.com" });
    expect(misspelt.link).toEqual({ status: "linked", existing_email: "Ann@gmial.com" });
    expect((await shop.known("third@home.example")).secondOf?.email).toBe("ann@gmail.com");
    expect((await shop.known("fourth@home.example")).secondOf?.email).toBe("ann@gmail.com");
    expect(await revenueOf(shop, site)).toEqual({ google: 40 });
  });

  test("without a visit up to the sale: linked, and no ad is credited", async () => {
    await shop.sale({ email: FIRST, value: 5 });
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    expect(sale).toMatchObject({ matched_by: null, link: LINKED });
    expect(await revenueOf(shop, site)).toEqual({ "(none)": 15 });
  });

  test("a later sale with nothing but the paid e-mail lands on that again (rule 8)", async () => {
    await shop.identify(ANN, { email: FIRST });
    await shop.sale({ email: PAID, existing_email: FIRST });
    shop.now += DAY;
    expect(await shop.sale({ email: PAID })).toMatchObject({ outcome: "accepted", matched_by: null });
    expect(await shop.sale({ email: PAID, value: 3, existing_email: FIRST })).toMatchObject({
      matched_by: "email",
      link: LINKED,
    });
    expect(await revenueOf(shop, site)).toEqual({ google: 13, "(none)": 10 });
  });

  test("a visitor id outweighs them, and its visitor is on their journey from then on", async () => {
    await shop.identify(ANN, { email: FIRST });
    await shop.visit(BOB);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST, evid: BOB.evid });
    expect(sale).toMatchObject({ matched_by: "visitor_id", link: LINKED });
    expect(await revenueOf(shop, site)).toEqual({ facebook: 10 });
    const evids = (await shop.known(FIRST)).visitors.map(({ evid }) => evid);
    expect(evids.sort()).toEqual([ANN.evid, BOB.evid].sort());
  });
});

describe("what is not linked", () => {
  test.each([
    ["not an e-mail", { email: PAID, existing_email: "ann at home" }, "invalid_existing_email"],
    ["no text", { email: PAID, existing_email: { a: 1 } }, "invalid_existing_email"],
    ["invalid, and nothing paid with", { existing_email: "ann", phone: "1" }, "invalid_existing_email"],
    ["the e-mail itself", { email: PAID, existing_email: ` ${PAID.toUpperCase()} ` }, "same_as_email"],
    ["nothing paid with", { existing_email: FIRST, phone: "1" }, "no_paid_email"],
    ["the e-mail paid with is none", { existing_email: FIRST, email: "ann" }, "no_paid_email"],
  ])("ignored: %s; the sale is recorded as usual", async (_, body, reason) => {
    await shop.identify(ANN, { email: FIRST });
    const sale = await shop.sale(body);
    expect(sale).toMatchObject({
      outcome: "accepted",
      matched_by: null,
      link: { status: "ignored", reason },
    });
    expect(await revenueOf(shop, site)).toEqual({ "(none)": 10 });
    expect(await shop.pending()).toEqual([]);
  });

  test("conflict: the paid e-mail is another's second; the sale is recorded under it", async () => {
    await shop.identify(ANN, { email: FIRST });
    await shop.identify(BOB, { email: "bob@home.example" });
    await shop.sale({ email: PAID, existing_email: "bob@home.example" });
    for (const existing_email of [FIRST, "unknown@home.example"]) {
      const sale = await shop.sale({ email: PAID, existing_email, order_id: existing_email });
      expect(sale).toMatchObject({
        matched_by: null,
        link: { status: "conflict", existing_email, reason: "paid_email_linked_elsewhere" },
      });
    }
    expect(await revenueOf(shop, site)).toEqual({ facebook: 10, "(none)": 20 });
    expect((await shop.known(PAID)).secondOf?.email).toBe("bob@home.example");
  });

  test("of two people who name one paid e-mail at the same time one is linked, the other in conflict", async () => {
    await shop.identify(ANN, { email: FIRST });
    await shop.identify(BOB, { email: "bob@home.example" });
    const sales = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        shop.sale({
          email: PAID,
          existing_email: i % 2 ? FIRST : "bob@home.example",
          order_id: `o${i}`,
        }),
      ),
    );
    const linked = new Set(
      sales.filter((s) => s.link?.status === "linked").map((s) => s.link?.existing_email),
    );
    const conflicts = new Set(
      sales.filter((s) => s.link?.status === "conflict").map((s) => s.link?.existing_email),
    );
    expect(linked.size).toBe(1);
    expect(conflicts.size).toBe(1);
    expect([...linked]).not.toEqual([...conflicts]);
    expect(linked).toContain((await shop.known(PAID)).secondOf?.email);
  });

  test("a duplicate is told what became of the sale that counts", async () => {
    const sale = { email: PAID, existing_email: FIRST, order_id: "1" };
    expect((await shop.sale(sale)).link).toEqual(PENDING);
    expect(await shop.sale(sale)).toMatchObject({ outcome: "deduped", link: PENDING });
    await shop.identify(ANN, { email: FIRST });
    await shop.lookUp();
    expect(await shop.sale(sale)).toMatchObject({ outcome: "deduped", link: LINKED });
    const other = { email: "o@home.example", order_id: "2" };
    await shop.sale(other);
    expect(await shop.sale({ ...other, existing_email: FIRST })).not.toHaveProperty("link");
    expect(await shop.sale({ ...other, existing_email: "?" })).toMatchObject({
      outcome: "deduped",
      link: { status: "ignored", reason: "invalid_existing_email" },
    });
  });
});

describe("a person who is not known yet", () => {
  test("appears on a page: the sale moves at once, with its credit and figures, also sealed ones", async () => {
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    expect(sale).toMatchObject({ matched_by: null, link: PENDING });
    await shop.relayAll();
    shop.now = NOON + 3 * HOUR;
    await shop.analytics.sealAll(site);
    expect(await revenueOf(shop, site)).toEqual({ "(none)": 10 });

    await shop.identify(ANN, { email: FIRST });
    expect(shop.inbound.lookUps).toEqual([{ site, event: sale.event_id }]);
    await shop.lookUp();
    expect(await shop.event(sale.event_id)).toMatchObject({
      version: 2,
      link: { status: "linked", person: FIRST },
      match: { by: "email", evid: ANN.evid, credited: { source: ADS.google.source } },
    });
    expect(await revenueOf(shop, site)).toEqual({ google: 10 });
    shop.now = NOON + 5 * HOUR;
    await shop.analytics.sealAll(site);
    expect(await revenueOf(shop, site)).toEqual({ google: 10 });
    expect((await shop.known(PAID)).secondOf?.email).toBe(FIRST);
    expect((await shop.known(FIRST)).waiting).toEqual([]);
    expect(await shop.pending()).toEqual([]);

    await shop.relayAll();
    expect(shop.published.map(({ type, detail }) => [type, detail.event_version, detail.source])).toEqual([
      ["conversion.recorded", 1, "(none)"],
      ["conversion.moved", 2, "google"],
    ]);
  });

  test("appears by a sale of their own, or as a second e-mail: likewise", async () => {
    await shop.visit(ANN);
    const first = await shop.sale({ email: PAID, existing_email: FIRST, order_id: "1" });
    await shop.sale({ email: FIRST, evid: ANN.evid, order_id: "2" });
    await shop.lookUp();
    expect(await linkOf(first.event_id)).toMatchObject({ status: "linked", person: FIRST });

    const other = await shop.sale({ email: "x@home.example", existing_email: "y@home.example" });
    expect(other.link?.status).toBe("pending");
    await shop.sale({ email: "y@home.example", existing_email: FIRST, order_id: "3" });
    await shop.lookUp();
    expect(await linkOf(other.event_id)).toMatchObject({ status: "linked", person: FIRST });
    expect(await revenueOf(shop, site)).toEqual({ google: 40 });
  });

  test("appears under what a misspelt existing e-mail is corrected to: likewise at once", async () => {
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: "ann@gmial.com" });
    await shop.identify(ANN, { email: "ann@gmail.com" });
    await shop.lookUp();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "linked", person: "ann@gmail.com" });
    expect(await revenueOf(shop, site)).toEqual({ google: 10 });
  });

  test("whose wake-up was lost is found by the clock", async () => {
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    await shop.identify(ANN, { email: FIRST });
    shop.inbound.lookUps.length = 0;
    await shop.minute();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "linked" });
  });

  test("who appears after a visit that began after the sale: linked, and the credit stays", async () => {
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    shop.now = NOON + 2 * HOUR;
    await shop.identify({ ...ANN, at: NOON + HOUR }, { email: FIRST });
    await shop.lookUp();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "linked" });
    expect(await revenueOf(shop, site)).toEqual({ "(none)": 10 });
  });

  test("a sale matched by its visitor keeps that visit when it is linked", async () => {
    await shop.visit(BOB);
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST, evid: BOB.evid });
    await shop.identify(ANN, { email: FIRST });
    await shop.lookUp();
    expect(await shop.event(sale.event_id)).toMatchObject({ version: 2, match: { by: "visitor_id" } });
    expect(await revenueOf(shop, site)).toEqual({ facebook: 10 });
  });

  test("the paid e-mail became another's meanwhile: conflict, and the sale stays", async () => {
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    await shop.identify(BOB, { email: "bob@home.example" });
    await shop.sale({ email: PAID, existing_email: "bob@home.example", order_id: "2" });
    await shop.identify(ANN, { email: FIRST });
    await shop.lookUp();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "conflict" });
    expect(await shop.event(sale.event_id)).toMatchObject({ version: 1, match: null });
  });

  test("is given up after 24 hours, within a minute, and who appears later changes nothing", async () => {
    const receipts: string[] = [];
    shop = startShop(engine, site, {
      receiptLink: (event, status) => {
        receipts.push(`${event.id} ${status}`);
        return [];
      },
    });
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    shop.now = NOON + DAY - 2 * MINUTE;
    await shop.minute();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "pending", until: NOON + DAY });
    await shop.minute();
    expect(await linkOf(sale.event_id)).toEqual({ existingEmail: FIRST, status: "not_found" });
    expect(receipts).toEqual([`${sale.event_id} not_found`]);
    expect((await shop.known(FIRST)).waiting).toEqual([]);

    await shop.identify(ANN, { email: FIRST });
    await shop.settle({ site, event: sale.event_id });
    expect(await shop.event(sale.event_id)).toMatchObject({ version: 1, link: { status: "not_found" } });
    expect(await revenueOf(shop, site)).toEqual({ "(none)": 10 });
  });

  test("who appeared in time is linked however late the look-up comes", async () => {
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    shop.now = NOON + DAY;
    await shop.identify(ANN, { email: FIRST });
    shop.now = NOON + 2 * DAY;
    await shop.lookUp();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "linked" });

    const late = await shop.sale({ email: "b@work.example", existing_email: "bob@home.example" });
    shop.now += DAY + 1;
    await shop.identify(BOB, { email: "bob@home.example" });
    await shop.lookUp();
    expect(await linkOf(late.event_id)).toMatchObject({ status: "not_found" });
  });

  test("who appeared in time as somebody's second e-mail is linked, though they have a person of their own since", async () => {
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    await shop.identify(BOB, { email: "bob@home.example" });
    await shop.sale({ email: FIRST, existing_email: "bob@home.example", order_id: "2" });
    shop.now += DAY + MINUTE;
    await shop.identify(ANN, { email: FIRST });
    await shop.lookUp();
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "linked", person: "bob@home.example" });
  });

  test("looks come at growing gaps, the last when the time is over", async () => {
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    const looks: number[] = [];
    for (;;) {
      const [next] = await shop.pending();
      if (!next) break;
      looks.push((next.dueAt - NOON) / MINUTE);
      shop.now = next.dueAt;
      await shop.settle(next.entry);
    }
    expect(looks.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 31, 46]);
    expect(looks.at(-1)).toBe(24 * 60);
    expect(looks.length).toBeLessThan(105);
    expect(await linkOf(sale.event_id)).toMatchObject({ status: "not_found" });
  });
});

describe("under concurrency", () => {
  test("50 identical posts count once, whatever link they ask for", async () => {
    await shop.identify(ANN, { email: FIRST });
    const bodies = [
      { email: PAID, existing_email: FIRST, evid: ANN.evid, order_id: "1", first_name: "A" },
      { email: "b@work.example", existing_email: "nobody@home.example", evid: ANN.evid, order_id: "2" },
    ];
    for (const body of bodies) {
      const sales = await Promise.all(Array.from({ length: 50 }, () => shop.sale(body)));
      expect(sales.filter(({ outcome }) => outcome === "accepted")).toHaveLength(1);
      expect(new Set(sales.map(({ event_id }) => event_id)).size).toBe(1);
      expect(new Set(sales.map(({ link }) => link?.status)).size).toBe(1);
    }
    expect(await revenueOf(shop, site)).toEqual({ google: 20 });
    expect((await shop.known("nobody@home.example")).waiting).toHaveLength(1);
  });

  test("50 different orders of one new person at once all count, and make one person", async () => {
    await shop.visit(ANN);
    const sales = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        shop.sale({ email: FIRST, evid: ANN.evid, order_id: `o${i}`, first_name: "Ann" }),
      ),
    );
    expect(sales.every(({ outcome }) => outcome === "accepted")).toBe(true);
    expect(await revenueOf(shop, site)).toEqual({ google: 500 });
    const { person, visitors } = await shop.known(FIRST);
    expect(person).toMatchObject({ firstName: "Ann", displayName: "Ann" });
    expect(visitors).toHaveLength(1);
  });

  test("20 look-ups of one sale at once move it once", async () => {
    await shop.visit(ANN);
    const sale = await shop.sale({ email: PAID, existing_email: FIRST });
    await shop.identify(ANN, { email: FIRST });
    const entry = { site, event: sale.event_id };
    await Promise.all(Array.from({ length: 20 }, () => shop.settle(entry)));
    expect(await shop.event(sale.event_id)).toMatchObject({ version: 2 });
    expect(await revenueOf(shop, site)).toEqual({ google: 10 });
  });
});
