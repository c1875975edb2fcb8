import fc from "fast-check";
import { eventKind } from "../../shared/domain/conversion/event-type";
import { fitting, type JsonObject, MAX_DEPTH } from "../../shared/domain/conversion/json";
import { MAX_LINES, OTHER, productLines } from "../../shared/domain/conversion/payload/products";
import { readPayload } from "../../shared/domain/conversion/reading";

const read = (text: string) => readPayload(JSON.parse(text) as JsonObject);

describe("fields", () => {
  test.each(["evid", "_evid", "tm_evid", "visitor_id", "tm_visitor_id", "tm_id"])(
    "%s is the visitor id",
    (name) => {
      expect(readPayload({ [name]: " abc " })).toMatchObject({ visitorId: "abc", properties: {} });
    },
  );

  test.each(["fbclid", "gclid", "click_id", "tm_click_id"])("%s is the click id", (name) => {
    expect(readPayload({ [name]: "XyZ" })).toMatchObject({ clickIds: ["XyZ"], properties: {} });
  });

  test("of several names the first in the contract's order that holds something wins", () => {
    expect(readPayload({ tm_id: "c", visitor_id: "b", evid: "", _evid: null })).toMatchObject({
      visitorId: "b",
      properties: { tm_id: "c" },
    });
  });

  test("a value that cannot be read stays a property, and the field counts as absent", () => {
    const payload = {
      email: "not an e-mail",
      phone: { country: 49 },
      first_name: 5,
      value: "a lot",
      currency: "dollars",
      order_id: { number: "A" },
      evid: true,
    };
    const { properties, ...fields } = readPayload(payload);
    expect(properties).toEqual(payload);
    expect(fields).toEqual({
      contact: { email: null, phone: null, firstName: null, lastName: null },
      amount: null,
      currency: null,
      orderId: null,
      visitorId: null,
      clickIds: [],
      existingEmail: null,
      products: [],
    });
  });

  test("every other field is kept as it came", () => {
    const others = {
      plan: "pro",
      seats: 3,
      trial: false,
      nothing: null,
      utm: { source: "x", tags: [1, "2"] },
    };
    expect(readPayload({ email: "a@b.example", ...others }).properties).toEqual(others);
  });

  test.each(["a@b.example", " A.b+c@sub.b.example ", "ü@bücher.example"])("%j is an e-mail", (email) => {
    expect(readPayload({ email }).contact.email).toBe(email.trim());
  });

  test.each([
    "",
    "a",
    "a@b",
    "@b.example",
    "a@@b.example",
    "a b@c.example",
    "a@b..example",
    "a\u0000@b.example",
  ])("%j is no e-mail", (email) => {
    expect(readPayload({ email }).contact.email).toBeNull();
  });

  test("phones and orders may be numbers", () => {
    expect(readPayload({ phone: 4930123, order_id: 1001 })).toMatchObject({
      contact: { phone: "4930123" },
      orderId: "1001",
    });
  });
});

describe("hostile payloads", () => {
  test("__proto__ and constructor are plain properties and change no prototype", () => {
    const { properties } = read('{"__proto__":{"email":"x@y.example","polluted":1},"constructor":{"a":1}}');
    expect(Object.keys(properties)).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("inherited names are no fields", () => {
    expect(readPayload(Object.create({ email: "x@y.example", products: [{ sku: "1" }] }))).toMatchObject({
      contact: { email: null },
      products: [],
      properties: {},
    });
  });

  test(`what lies deeper than ${MAX_DEPTH} levels is cut off, the rest kept`, () => {
    const deep = (levels: number): string => (levels === 0 ? '"end"' : `{"a":${deep(levels - 1)}}`);
    expect(JSON.stringify(read(deep(MAX_DEPTH)).properties)).toBe(deep(MAX_DEPTH));
    expect(JSON.stringify(read(deep(MAX_DEPTH + 1)).properties)).toBe(
      deep(MAX_DEPTH).replace('"end"', "null"),
    );
    expect(
      JSON.stringify(read(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`).properties),
    ).toHaveLength('{"a":}'.length + 2 * (MAX_DEPTH - 1) + "null".length);
  });

  test("lone surrogates become valid Unicode, infinite numbers null", () => {
    expect(read('{"a\\ud800":"\\udc00","n":1e999,"first_name":"\\ud800x"}')).toMatchObject({
      contact: { firstName: "\ufffdx" },
      properties: { "a\ufffd": "\ufffd", n: null },
    });
  });

  test("numbers that grow when written out cannot outgrow an item", () => {
    const numbers = read(`{"a":[${"1e20,".repeat(50_000)}1],"b":1}`).properties;
    expect(Object.keys(numbers)).toEqual(["b"]);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, i]));
    expect(fitting(many, 300_000)).toEqual(many);
  });
});

describe("products", () => {
  test.each<[JsonObject, string, string, number, number | null]>([
    [{ products: [{ sku: "S", product_name: "N", units: 2, price: 1.5 }] }, "S", "N", 2, 1.5],
    [{ items: [{ product_id: 7, name: "N", quantity: "3", price: "$2" }] }, "7", "N", 3, 2],
    [{ line_items: [{ id: "x", title: "T", qty: 1 }] }, "x", "T", 1, null],
    [{ sku: "S", product_name: "N", quantity: 2, price: 5 }, "S", "N", 2, 5],
    [{ products: [{ name: "only a name" }] }, "only a name", "only a name", 1, null],
    [{ products: "none", items: [], sku: "S" }, "S", "S", 1, null],
  ])("%j", (payload, sku, name, units, price) => {
    expect(readPayload(payload).products).toEqual([{ sku, name, units, price }]);
  });

  test("entries without a name, or with no or absurd units, are none", () => {
    const products = [
      {},
      5,
      null,
      "x",
      { sku: "" },
      { sku: "a", units: 0 },
      { sku: "a", units: -1 },
      { sku: "a", units: 1e9 },
    ];
    expect(readPayload({ products }).products).toEqual([]);
    expect(readPayload({ id: "payload", name: "payload" }).products).toEqual([]);
  });

  test("revenue is units x price in the currency's smallest unit; lines of one product are one", () => {
    const entries = [
      { sku: "a", name: "A", units: 3, price: 0.1 },
      { sku: "a", name: "A", units: 1, price: 0.2 },
      { sku: "b", name: "B", units: 1.5, price: 2 },
      { sku: "c", name: "C", units: 1, price: null },
    ];
    expect(productLines(entries, "USD")).toEqual([
      { sku: "a", name: "A", units: 4, revenue: 500 },
      { sku: "b", name: "B", units: 2, revenue: 3_000 },
      { sku: "c", name: "C", units: 1, revenue: 0 },
    ]);
  });

  test("however many lines, a bounded number is kept and no unit or cent is lost", () => {
    const entry = fc.record({
      sku: fc.integer({ min: 1, max: 400 }).map(String),
      name: fc.constant("n"),
      units: fc.integer({ min: 1, max: 9 }),
      price: fc.integer({ min: 0, max: 9_999 }).map((cents) => cents / 100),
    });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 500 }), (entries) => {
        const lines = productLines(entries, "EUR");
        expect(lines.length).toBeLessThanOrEqual(MAX_LINES + 1);
        expect(new Set(lines.map(({ sku }) => sku)).size).toBe(lines.length);
        const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
        expect(sum(lines.map(({ units }) => units))).toBe(sum(entries.map(({ units }) => units)));
        expect(sum(lines.map(({ revenue }) => revenue))).toBe(
          sum(entries.map(({ units, price }) => units * Math.round(price * 1_000))),
        );
        expect(lines.some(({ sku }) => sku === OTHER)).toBe(
          new Set(entries.map(({ sku }) => sku)).size > MAX_LINES,
        );
      }),
    );
  });
});

describe("event types", () => {
  test.each([
    ["Lead", { type: "Lead", name: "Lead" }],
    ["Purchase", { type: "Purchase", name: "Purchase" }],
    [" Webinar Signup ", { type: "Custom", name: "Webinar Signup" }],
    ["Lead 2", { type: "Custom", name: "Lead 2" }],
  ])("%j", (eventType, kind) => expect(eventKind(eventType)).toEqual(kind));

  test.each(["", "  ", "lead", " Lead", "PURCHASE", "custom", "a\nb", "x".repeat(101)])(
    "%j is refused",
    (eventType) => expect(eventKind(eventType)).toBeNull(),
  );
});
