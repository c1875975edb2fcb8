import { DAY, HOUR, MINUTE, SECOND } from "../../shared/domain/instant";
import { factsOn, type Inbound, startInbound } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { calendlyEvent, INVITEE, invoice, NOON, session, stripeEvent } from "./builders";
import { type Answer, type Native, startNative } from "./support";

let engine: Engine;
let native: Native;
let inbound: Inbound;
let site = 700;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  native = startNative(engine);
  inbound = startInbound(engine);
});

const purchase = (fields = {}, envelope = {}) =>
  stripeEvent("checkout.session.completed", session(fields), envelope);
const counted = async () => {
  const days = [NOON, NOON + DAY, NOON + 2 * DAY, NOON + 10 * DAY];
  return (await Promise.all(days.map((day) => factsOn(engine, site, day)))).flatMap((day) => day.conversions);
};
const outcomes = (answers: readonly Answer[]) => answers.map(({ body }) => body.outcome).sort();

describe("redelivery", () => {
  test("of a payment, at once, hours and days later, changes nothing", async () => {
    const token = await native.connect("stripe", site);
    const first = await native.post("stripe", token, purchase());
    for (const later of [0, HOUR, DAY, 10 * DAY]) {
      native.now = NOON + later;
      expect(await native.post("stripe", token, purchase())).toEqual(first);
    }
    expect(await counted()).toMatchObject([{ id: first.body.event_id, at: NOON }]);
  });

  test("of 20 at once counts once", async () => {
    const token = await native.connect("stripe", site);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => native.post("stripe", token, purchase())),
    );
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.event_id}`)).size).toBe(1);
    expect(await counted()).toHaveLength(1);
  });

  test("without an e-mail too", async () => {
    const token = await native.connect("stripe", site);
    const anonymous = purchase({ customer_details: null });
    await Promise.all(Array.from({ length: 5 }, () => native.post("stripe", token, anonymous)));
    expect(await counted()).toHaveLength(1);
  });

  test("to an integration that was made anew is still the same payment", async () => {
    const first = await native.post("stripe", await native.connect("stripe", site), purchase());
    await native.disconnect("stripe", site);
    expect(await native.post("stripe", await native.connect("stripe", site), purchase())).toEqual(first);
    expect(await counted()).toHaveLength(1);
  });

  test("of a booking days later does not count on that day", async () => {
    const token = await native.connect("calendly", site);
    const first = await native.post("calendly", token, calendlyEvent());
    native.now = NOON + 2 * DAY;
    expect(await native.post("calendly", token, calendlyEvent())).toEqual(first);
    expect(await counted()).toHaveLength(1);
  });
});

describe("one payment told of in several ways counts once", () => {
  test("completed and paid later, with the invoice's two events, all at once", async () => {
    const token = await native.connect("stripe", site);
    const ofSession = session({ invoice: "in_1" });
    const ofInvoice = invoice({ id: "in_1", billing_reason: "manual", amount_paid: 4900 });
    const answers = await Promise.all([
      native.post("stripe", token, stripeEvent("checkout.session.completed", ofSession)),
      native.post("stripe", token, stripeEvent("checkout.session.async_payment_succeeded", ofSession)),
      native.post("stripe", token, stripeEvent("invoice.paid", ofInvoice)),
      native.post("stripe", token, stripeEvent("invoice.payment_succeeded", ofInvoice)),
    ]);
    expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
    expect(await counted()).toMatchObject([{ value: 49_000 }]);
  });

  test("a subscription: its start once, and each renewal", async () => {
    const token = await native.connect("stripe", site);
    const start = session({
      mode: "subscription",
      invoice: "in_1",
      subscription: "sub_1",
      payment_intent: null,
    });
    const bill = (id: string, billing_reason: string) =>
      stripeEvent("invoice.paid", invoice({ id, billing_reason }));
    const answers = [
      await native.post("stripe", token, bill("in_1", "subscription_create")),
      await native.post("stripe", token, stripeEvent("checkout.session.completed", start)),
      await native.post("stripe", token, bill("in_2", "subscription_cycle")),
      await native.post("stripe", token, bill("in_3", "subscription_cycle")),
    ];
    expect(outcomes(answers)).toEqual(["accepted", "accepted", "accepted", "ignored"]);
    expect((await counted()).map(({ value }) => value).sort()).toEqual([29_000, 29_000, 49_000]);
  });
});

describe("with a receiving webhook of the same type", () => {
  const sale = { email: "ann@example.com", order_id: "cs_live_a1b2c3d4", value: 49, currency: "USD" };
  const booking = { email: " ANN@example.com" };

  const sources = {
    purchase: async () => {
      const [own, any] = [await native.connect("stripe", site), await inbound.webhook("Purchase", site)];
      return { native: () => native.post("stripe", own, purchase()), webhook: () => inbound.post(any, sale) };
    },
    booking: async () => {
      const [own, any] = [await native.connect("calendly", site), await inbound.webhook("Schedule", site)];
      return {
        native: () => native.post("calendly", own, calendlyEvent()),
        webhook: () => inbound.post(any, booking),
      };
    },
  };

  test.each(["purchase", "booking"] as const)("a %s counts once, whichever comes first", async (what) => {
    const one = await sources[what]();
    const first = await one.native();
    const second = await one.webhook();
    expect(outcomes([first, second])).toEqual(["accepted", "deduped"]);
    expect(second.body.event_id).toBe(first.body.event_id);
    site++;
    const other = await sources[what]();
    expect(await other.webhook()).toMatchObject({ body: { outcome: "accepted" } });
    expect(await other.native()).toMatchObject({ status: 200, body: { outcome: "deduped" } });
    expect(await counted()).toHaveLength(1);
  });

  test.each(["purchase", "booking"] as const)(
    "a %s counts once when both come at once, many times",
    async (what) => {
      const one = await sources[what]();
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => (i % 2 ? one.native() : one.webhook())),
      );
      expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
      expect(await counted()).toHaveLength(1);
    },
  );

  test("a booking is compared by the day it was made, not by the day it was told of", async () => {
    const token = await native.connect("calendly", site);
    await inbound.post(await inbound.webhook("Schedule", site), booking);
    native.now = NOON + DAY;
    const told = await native.post("calendly", token, calendlyEvent());
    expect(told).toMatchObject({ body: { outcome: "deduped" } });
    const nextDay = calendlyEvent({ uri: `${INVITEE}2`, created_at: "2026-07-10T00:00:00.000000Z" });
    expect(await native.post("calendly", token, nextDay)).toMatchObject({ body: { outcome: "accepted" } });
  });

  test("another amount or another order is another purchase", async () => {
    const token = await inbound.webhook("Purchase", site);
    const own = await native.connect("stripe", site);
    await native.post("stripe", own, purchase());
    for (const change of [{ value: 50 }, { order_id: "other" }]) {
      expect(await inbound.post(token, { ...sale, ...change })).toMatchObject({
        body: { outcome: "accepted" },
      });
    }
  });
});

test("a visit of the second in which it was paid comes before it", async () => {
  const token = await native.connect("stripe", site);
  native.now = NOON + 10 * MINUTE;
  await native.post("stripe", token, purchase({}, { created: NOON / SECOND }));
  expect(await counted()).toMatchObject([{ at: NOON + SECOND - 1 }]);
});
