import fc from "fast-check";
import { createEvent } from "../../shared/domain/conversion/event";
import type { Reading } from "../../shared/domain/conversion/reading";
import { DAY, SECOND } from "../../shared/domain/instant";
import { conversionTime, type NativeChoices, nativeEventId } from "../../shared/domain/native/source";
import { NATIVE_SOURCES } from "../../shared/domain/native/sources";
import { readStripe } from "../../shared/domain/native/stripe/read";
import { invoice, invoiceLine, NOON, session, stripeEvent } from "./builders";

const usual: NativeChoices = { countFirstInvoices: false };

const completed = (fields = {}, envelope = {}) =>
  stripeEvent("checkout.session.completed", session(fields), envelope);
const paid = (fields = {}, envelope = {}) => stripeEvent("invoice.paid", invoice(fields), envelope);

function saleIn(message: unknown, choices = usual) {
  const told = readStripe(message, choices);
  if (!("conversion" in told)) throw new Error(JSON.stringify(told));
  return told.conversion;
}
const readingOf = (message: unknown): Reading => saleIn(message).reading;

/** As it is recorded, in thousandths. */
const recorded = (reading: Reading) =>
  createEvent("evt_1", {
    site: 1,
    kind: NATIVE_SOURCES.stripe.event,
    at: NOON,
    source: "stripe",
    via: "nint_1",
    reading,
    match: null,
    link: null,
  });

describe("a paid Checkout session", () => {
  test("is a purchase with what was paid, by whom, and its own id as the order", () => {
    expect(readingOf(completed())).toMatchObject({
      amount: 49,
      currency: "USD",
      orderId: "cs_live_a1b2c3d4",
      contact: { email: "Ann@Example.com", phone: "+4930123456", firstName: "Ann", lastName: "van Dale" },
      visitorId: null,
      products: [],
      properties: { checkout_session: "cs_live_a1b2c3d4", payment_intent: "pi_3QzKp1LkdIwHu7ix" },
    });
  });

  test("is matched by its client_reference_id", () => {
    expect(readingOf(completed({ client_reference_id: "visitor-1" })).visitorId).toBe("visitor-1");
  });

  test.each(["evid", "_evid", "tm_evid", "visitor_id", "tm_visitor_id", "tm_id"])(
    "is matched by the metadata %s before its client_reference_id, which stays a property",
    (name) => {
      const reading = readingOf(
        completed({ client_reference_id: "cart-7", metadata: { [name]: "visitor-1" } }),
      );
      expect(reading.visitorId).toBe("visitor-1");
      expect(reading.properties).toMatchObject({ client_reference_id: "cart-7" });
      expect(reading.properties).not.toHaveProperty(name);
    },
  );

  test.each(["fbclid", "gclid", "click_id", "tm_click_id"])(
    "carries the click id %s of its metadata",
    (name) => {
      const reading = readingOf(completed({ metadata: { [name]: "click-1" } }));
      expect(JSON.stringify([reading])).toContain("click-1");
      expect(reading.properties).not.toHaveProperty(name);
    },
  );

  test("has the shop's own order number where the metadata names one, and other metadata as properties", () => {
    const reading = readingOf(completed({ metadata: { order_id: "1001", campaign: "spring" } }));
    expect(reading).toMatchObject({ orderId: "1001", properties: { campaign: "spring" } });
    expect(reading.properties).not.toHaveProperty("order_id");
  });

  test("has its amount and its person of Stripe, whatever the metadata says; names of the metadata before the parts of a name", () => {
    const metadata = { value: "1", currency: "EUR", email: "bob@example.com", first_name: "Anna" };
    expect(readingOf(completed({ metadata }))).toMatchObject({
      amount: 49,
      currency: "USD",
      contact: { email: "Ann@Example.com", firstName: "Anna", lastName: "van Dale" },
    });
  });

  test("has the e-mail it was opened with where the person gave none", () => {
    const fields = { customer_details: null, customer_email: "ann@example.com" };
    expect(readingOf(completed(fields)).contact).toEqual({
      email: "ann@example.com",
      phone: null,
      firstName: null,
      lastName: null,
    });
  });

  test("has the products of its lines, at what was paid for them", () => {
    const data = [
      {
        description: "Reading lamp",
        quantity: 2,
        amount_subtotal: 10000,
        amount_total: 9000,
        price: { id: "price_1", product: "prod_Lamp", metadata: {} },
      },
      {
        description: "Cable",
        quantity: 1,
        amount_total: 500,
        price: { id: "price_2", product: { id: "prod_C", name: "USB cable", metadata: { sku: "C-1" } } },
      },
    ];
    expect(readingOf(completed({ line_items: { data } })).products).toEqual([
      { sku: "prod_Lamp", name: "Reading lamp", units: 2, price: 45 },
      { sku: "C-1", name: "USB cable", units: 1, price: 5 },
    ]);
  });

  test("has the products its metadata names where it came without lines", () => {
    const products = JSON.stringify([{ sku: "lamp", name: "Lamp", price: 49 }]);
    for (const metadata of [{ products }, { sku: "lamp", product_name: "Lamp", price: "49" }]) {
      expect(readingOf(completed({ metadata })).products).toEqual([
        { sku: "lamp", name: "Lamp", units: 1, price: 49 },
      ]);
    }
    expect(readingOf(completed({ metadata: { products: "[{" } })).products).toEqual([]);
  });

  test.each([
    ["unpaid", "unpaid", 4900, "not paid yet"],
    ["free of charge", "no_payment_required", 0, "Nothing was paid"],
    ["paid with nothing", "paid", 0, "Nothing was paid"],
    ["made to save a card", "no_payment_required", null, "Nothing was paid"],
  ])("that is %s is ignored", (_, payment_status, amount_total, reason) => {
    expect(readStripe(completed({ payment_status, amount_total }), usual)).toEqual({
      ignored: expect.stringContaining(reason),
    });
  });

  test("paid by a slow method counts when the money came, under the same name", () => {
    const later = stripeEvent("checkout.session.async_payment_succeeded", session());
    expect(saleIn(later).name).toBe(saleIn(completed()).name);
  });
});

describe("a paid invoice", () => {
  test("is a purchase with what was paid, by whom, for what, and its own id as the order", () => {
    expect(readingOf(paid())).toMatchObject({
      amount: 29,
      currency: "USD",
      orderId: "in_1QzKpRenewal",
      contact: { email: "ann@example.com", phone: null, firstName: "Ann", lastName: "van Dale" },
      products: [{ sku: "prod_Pro", name: "Pro plan", units: 1, price: 29 }],
      properties: {
        invoice: "in_1QzKpRenewal",
        invoice_number: "A1B2-0007",
        billing_reason: "subscription_cycle",
        subscription: "sub_1Qz",
      },
    });
  });

  test("of an older API version reads the same", () => {
    const old = {
      parent: undefined,
      subscription: "sub_1Qz",
      subscription_details: { metadata: { tm_evid: "visitor-1" } },
      lines: {
        data: [
          {
            amount: 5800,
            description: "2 × Pro plan (at $29.00 / month)",
            quantity: 2,
            price: { id: "price_1Pro", product: "prod_Pro", nickname: "monthly" },
          },
        ],
      },
    };
    expect(readingOf(paid(old))).toMatchObject({
      visitorId: "visitor-1",
      products: [{ sku: "prod_Pro", name: "Pro plan", units: 2, price: 29 }],
      properties: { subscription: "sub_1Qz" },
    });
  });

  test("is matched by the metadata of its subscription, its own first", () => {
    const parent = {
      subscription_details: { metadata: { tm_evid: "visitor-1", plan: "a" }, subscription: "sub_1Qz" },
    };
    expect(readingOf(paid({ parent }))).toMatchObject({
      visitorId: "visitor-1",
      properties: { plan: "a" },
    });
    expect(readingOf(paid({ parent, metadata: { tm_evid: "visitor-2" } })).visitorId).toBe("visitor-2");
  });

  test("has an order of its own, not that of its subscription: else renewals were duplicates", () => {
    const parent = { subscription_details: { metadata: { order_id: "1001" } } };
    expect(readingOf(paid({ parent })).orderId).toBe("in_1QzKpRenewal");
    expect(readingOf(paid({ parent, metadata: { order_id: "1002" } })).orderId).toBe("1002");
  });

  test("has one name for one product, also where the plan was changed, and discounts taken off", () => {
    const data = [
      invoiceLine({ description: "Unused time on Basic after 09 Jul 2026", amount: -500 }),
      invoiceLine({ description: "Remaining time on Pro plan after 09 Jul 2026", amount: 2000 }),
      invoiceLine({ discount_amounts: [{ amount: 400, discount: "di_1" }] }),
      invoiceLine({ description: null, pricing: null, price: { nickname: "Setup" } }),
      invoiceLine({ description: null, pricing: null }),
    ];
    expect(readingOf(paid({ lines: { data } })).products).toEqual([
      { sku: "prod_Pro", name: "Basic", units: 1, price: -5 },
      { sku: "prod_Pro", name: "Pro plan", units: 1, price: 20 },
      { sku: "prod_Pro", name: "Pro plan", units: 1, price: 25 },
      { sku: "Setup", name: "Setup", units: 1, price: 29 },
    ]);
  });

  test("of nothing is ignored, such as a trial's", () => {
    expect(readStripe(paid({ amount_paid: 0 }), usual)).toEqual({ ignored: "Nothing was paid." });
  });
});

describe("what is one payment has one name", () => {
  test("both events of a paid invoice", () => {
    expect(saleIn(stripeEvent("invoice.payment_succeeded", invoice())).name).toBe(saleIn(paid()).name);
  });

  test("a session and the invoice it made", () => {
    const first = { mode: "subscription", invoice: "in_1", payment_intent: null, subscription: "sub_1" };
    const choices = { countFirstInvoices: true };
    const ofInvoice = saleIn(paid({ id: "in_1", billing_reason: "subscription_create" }), choices);
    expect(saleIn(completed(first)).name).toBe(ofInvoice.name);
    expect(saleIn(completed({ invoice: { id: "in_1", object: "invoice" } })).name).toBe(ofInvoice.name);
    expect(saleIn(paid({ id: "in_1", billing_reason: "manual" })).name).toBe(ofInvoice.name);
  });

  test("a subscription's first invoice is left to its session, unless the site counts it", () => {
    const message = paid({ billing_reason: "subscription_create" });
    expect(readStripe(message, usual)).toEqual({ ignored: expect.stringContaining("Checkout session") });
    expect(readStripe(message, { countFirstInvoices: true })).toHaveProperty("conversion");
  });

  test("two sessions, two invoices and two sites have different ids, of the form of events", () => {
    const names = [completed(), completed({ id: "cs_2" }), paid(), paid({ id: "in_2" })].map(saleInUsual);
    const ids = names.flatMap((sale) => [1, 2].map((site) => nativeEventId("stripe", site, sale)));
    expect(new Set(ids).size).toBe(8);
    for (const id of ids) expect(id).toMatch(/^evt_[0-9a-z]{26}$/);
    expect(nativeEventId("stripe", 1, saleIn(completed({ amount_total: 1 })))).toBe(ids[0]);
  });
  const saleInUsual = (message: unknown) => saleIn(message);
});

describe("amounts", () => {
  test.each([
    ["usd", 4999, 49_990],
    ["jpy", 500, 500_000],
    ["krw", 12_000, 12_000_000],
    ["kwd", 5_120, 5_120],
    ["tnd", 10, 10],
    ["isk", 500, 5_000],
    ["ugx", 500, 5_000],
    ["mga", 500, 500_000],
    ["huf", 1_050, 10_500],
    [null, 100, 1_000],
  ])("in %s: %d is %d thousandths", (currency, amount, thousandths) => {
    expect(recorded(readingOf(completed({ currency, amount_total: amount }))).value).toBe(thousandths);
    expect(recorded(readingOf(paid({ currency, amount_paid: amount }))).value).toBe(thousandths);
  });

  test("of products add up to what was paid, whatever the quantity", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 99_999_999 }),
        fc.integer({ min: 1, max: 999 }),
        (amount, quantity) => {
          const { products } = recorded(
            readingOf(paid({ lines: { data: [invoiceLine({ amount, quantity })] } })),
          );
          expect(products).toMatchObject([{ units: quantity, revenue: amount * 10 }]);
        },
      ),
    );
  });

  test("beyond what we keep are no amount", () => {
    expect(recorded(readingOf(completed({ amount_total: Number.MAX_SAFE_INTEGER }))).value).toBeNull();
  });
});

describe("time", () => {
  test("is when it was paid, to the second's end, and never ahead of ours", () => {
    const { at } = saleIn(completed({}, { created: NOON / SECOND - 60 }));
    expect(conversionTime(at, NOON)).toBe(NOON - 59 * SECOND - 1);
    expect(conversionTime(saleIn(completed()).at, NOON)).toBe(NOON);
  });

  test("is when it was received where Stripe's cannot be", () => {
    expect(
      conversionTime(saleIn(completed({}, { created: NOON / SECOND - 3 * 86_400 })).at, NOON),
    ).toBeLessThan(NOON - 2 * DAY);
    for (const created of [NOON / SECOND - 31 * 86_400, -1, 1e300, "now", null, undefined]) {
      expect(conversionTime(saleIn(completed({}, { created })).at, NOON)).toBe(NOON);
    }
  });
});

describe("what is no payment", () => {
  test.each(["payment_intent.succeeded", "customer.created", "charge.refunded", "toString", "__proto__"])(
    "%s is ignored",
    (type) => {
      expect(readStripe(stripeEvent(type, session()), usual)).toEqual({
        ignored: expect.stringContaining(type),
      });
    },
  );

  test("of the test mode is ignored", () => {
    for (const message of [completed({}, { livemode: false }), paid({}, { livemode: false })]) {
      expect(readStripe(message, usual)).toEqual({ ignored: expect.stringContaining("test mode") });
    }
  });

  test.each([
    [null],
    [[]],
    ["text"],
    [{}],
    [{ type: 5 }],
    [{ type: "checkout.session.completed" }],
    [stripeEvent("checkout.session.completed", {})],
    [completed({ id: 5 })],
    [completed({ amount_total: "4900" })],
    [completed({ amount_total: 49.5 })],
    [paid({ amount_paid: null })],
    [{ type: "invoice.paid", data: { object: [] } }],
  ])("%j is a problem", (message) => {
    expect(readStripe(message, usual)).toEqual({ problem: expect.any(String) });
  });

  test("any fields of any kind around an id and an amount are read as far as they can be", () => {
    const odd = (known: object) => fc.dictionary(fc.constantFrom(...Object.keys(known)), fc.jsonValue());
    const reads = (message: unknown) => {
      const told = readStripe(message, { countFirstInvoices: true });
      if ("conversion" in told) expect(() => recorded(told.conversion.reading)).not.toThrow();
    };
    fc.assert(
      fc.property(odd(session()), odd(invoice()), odd(invoiceLine()), (session, invoice, line) => {
        reads(completed({ ...session, id: "cs_1", amount_total: 1 }));
        reads(paid({ ...invoice, id: "in_1", amount_paid: 1 }));
        reads(paid({ lines: { data: [line] } }));
      }),
    );
    fc.assert(fc.property(fc.jsonValue(), reads));
  });
});
