import fc from "fast-check";
import { type JsonObject, type JsonValue, MAX_DEPTH } from "../../../shared/domain/conversion/json";
import { readPayload } from "../../../shared/domain/conversion/reading";

const emailIn = (payload: JsonObject) => readPayload(payload).contact.email;
const ANN = "ann@b.example";
const BOB = "bob@b.example";

describe("where fields are found", () => {
  test.each<[string, JsonObject]>([
    ["an exact name before one alike, however deep", { Email: BOB, a: { b: { email: ANN } } }],
    ["the shallowest", { a: { b: { email: BOB }, email: ANN } }],
    ["the first in the document among equals", { a: { email: ANN }, b: { email: BOB } }],
    ["the first that is an e-mail", { email: "none", a: { email: "" }, b: { email: ANN } }],
    ["in lists", { customers: [{ name: "x" }, { email: ANN }, { email: BOB }] }],
    ["in lists of lists", { a: [[[{ email: ANN }]]] }],
    ["as a list: the first that is one", { email: ["none", null, ANN, BOB] }],
    ["named E-Mail", { contact: { "E-Mail": ANN } }],
    ["named EMAIL", { EMAIL: ANN }],
    ["named e_mail", { e_mail: ANN }],
  ])("%s", (_, payload) => expect(emailIn(payload)).toBe(ANN));

  test.each(["e mail", "emails", "mail", "email_address", "customer_email", "emaïl"])(
    "%s is another name",
    (name) => expect(emailIn({ [name]: ANN })).toBeNull(),
  );

  test.each([
    ["firstName", "firstName"],
    ["First-Name", "firstName"],
    ["FIRSTNAME", "firstName"],
    ["lastName", "lastName"],
    ["Phone", "phone"],
  ] as const)("%s is a name alike", (name, field) => {
    expect(readPayload({ [name]: "x" })).toMatchObject({ contact: { [field]: "x" }, properties: {} });
  });

  test.each([
    ["Order-ID", { orderId: "7" }],
    ["orderId", { orderId: "7" }],
    ["visitorId", { visitorId: "7" }],
    ["TM_EVID", { visitorId: "7" }],
    ["clickID", { clickIds: ["7"] }],
    ["Value", { amount: 7 }],
  ])("%s is a name alike of its field", (name, fields) => {
    expect(readPayload({ [name]: "7" })).toMatchObject({ ...fields, properties: {} });
  });

  test(`at ${MAX_DEPTH} levels, and no deeper`, () => {
    const at = (level: number): JsonObject => (level === 1 ? { email: ANN } : { a: at(level - 1) });
    expect(emailIn(at(MAX_DEPTH))).toBe(ANN);
    expect(emailIn(at(MAX_DEPTH + 1))).toBeNull();
  });

  test("visitor ids: at one depth the contract's order, before that the shallowest", () => {
    expect(readPayload({ tm_id: "c", evid: "a", _evid: "b" }).visitorId).toBe("a");
    expect(readPayload({ tm_id: "c", a: { evid: "a" } }).visitorId).toBe("c");
  });

  test("click ids: one of each name, in the contract's order, wherever they stand", () => {
    expect(
      readPayload({
        tm_click_id: "4",
        click_id: "2",
        a: { fbclid: "1", b: [{ gclid: "2" }, { gclid: "other" }] },
      }),
    ).toMatchObject({ clickIds: ["1", "2", "4"], properties: { a: { b: [{ gclid: "other" }] } } });
  });

  test("names beside their values are fields, and their values no amounts", () => {
    expect(
      readPayload({
        fields: [
          { name: "age", value: 42 },
          { id: 1, key: "email", value: ANN },
          { label: "order_id", value: 7 },
        ],
        score: { value: 5, versions: [{ value: 4 }] },
        discounts: [{ value: 10, value_type: "percentage" }],
      }),
    ).toMatchObject({ contact: { email: ANN }, orderId: "7", amount: null });
  });

  test("an amount in an object with a name, and in a list of orders, is one", () => {
    expect(readPayload({ product: { name: "Pro", value: 49 } }).amount).toBe(49);
    expect(readPayload({ orders: [{ name: "#1", status: "paid", value: "49" }] }).amount).toBe(49);
    expect(readPayload({ total: { value: "49.00", currency: "GBP" } })).toMatchObject({
      amount: 49,
      currency: "GBP",
    });
  });

  test("a currency field outranks the mark beside the amount, and an unreadable one does not", () => {
    expect(readPayload({ value: "49 EUR", currency: "usd" }).currency).toBe("USD");
    expect(readPayload({ value: "49 EUR", currency: "dollars" }).currency).toBe("EUR");
    expect(readPayload({ value: "free EUR" })).toMatchObject({ amount: null, currency: null });
  });
});

describe("existing_email", () => {
  test.each<[string, JsonObject]>([
    ["at the top", { existing_email: ANN }],
    ["in customData", { customData: { existing_email: ANN } }],
    ["in customData further in", { body: { customData: { existing_email: ANN } } }],
    ["at the top before customData", { customData: { existing_email: BOB }, existing_email: ANN }],
    ["as a mailbox", { existing_email: ` Ann Lee <${ANN}> ` }],
  ])("is read %s", (_, payload) => expect(readPayload(payload).existingEmail).toBe(ANN));

  test.each<[string, JsonObject]>([
    ["of another case", { existingEmail: ANN, Existing_Email: ANN, "existing-email": ANN }],
    ["in another block", { data: { existing_email: ANN }, custom_data: { existing_email: ANN } }],
    ["below customData's own fields", { customData: { contact: { existing_email: ANN } } }],
    ["in a list", { people: [{ existing_email: ANN }] }],
    ["in a pair", { customData: [{ name: "existing_email", value: ANN }] }],
  ])("%s is a property", (_, payload) => {
    expect(readPayload(payload)).toMatchObject({ existingEmail: null, properties: payload });
  });

  test.each([
    [" nobody ", "nobody"],
    [5, "5"],
    [false, "false"],
    [{ a: 1 }, "(not text)"],
    [[ANN], "(not text)"],
  ])("%j is handed on as what was sent", (sent, existingEmail) => {
    expect(readPayload({ existing_email: sent })).toMatchObject({ existingEmail, properties: {} });
  });

  test.each([null, "", "  "])("%j is nothing", (sent) => {
    expect(readPayload({ existing_email: sent })).toMatchObject({ existingEmail: null, properties: {} });
  });

  test("stays a property where sales are not linked by it", () => {
    expect(readPayload({ existing_email: ANN }, { linksEmails: false })).toMatchObject({
      existingEmail: null,
      properties: { existing_email: ANN },
    });
  });
});

describe("properties", () => {
  test("what was used is gone from its place, its siblings stay, and what held nothing else is gone", () => {
    expect(
      readPayload({
        a: { email: ANN, plan: "pro" },
        b: { phone: "1" },
        c: [{ value: 5 }, { value: 6 }],
        d: { first_name: "", e: {} },
        f: [],
        last_name: null,
      }).properties,
    ).toEqual({ a: { plan: "pro" }, c: [{ value: 6 }], d: { e: {} }, f: [] });
  });

  test("nothing is lost: each leaf of a payload is a property or was used", () => {
    const name = fc.constantFrom("email", "Phone", "a", "b", "value", "name", "items", "evid", "gclid");
    const leaf = fc.oneof(fc.constantFrom(ANN, "x", "49", "0"), fc.integer(), fc.boolean());
    const { any } = fc.letrec<{ any: JsonValue }>((tie) => ({
      any: fc.oneof(
        { depthSize: "small", withCrossShrink: true },
        leaf,
        fc.array(tie("any"), { minLength: 1, maxLength: 3 }),
        fc.dictionary(name, tie("any"), { minKeys: 1, maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(fc.dictionary(name, any, { maxKeys: 5, noNullPrototype: true }), (payload) => {
        const { contact, amount, visitorId, clickIds, properties } = readPayload(payload as JsonObject);
        const single = [...Object.values(contact), amount, visitorId].filter((field) => field !== null);
        const used = single.length + clickIds.length;
        // Two click ids of one value are one.
        const lost = leaves(payload as JsonObject) - leaves(properties) - used;
        expect([0, 1]).toContain(lost);
        if (lost === 1) expect(clickIds).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });
});

const leaves = (value: JsonValue): number =>
  typeof value === "object" && value !== null
    ? Object.values(value).reduce((sum: number, inner: JsonValue) => sum + leaves(inner), 0)
    : 1;

describe("e-mails", () => {
  test.each([
    [" Ann@B.Example ", "Ann@B.Example"],
    ["Ann Lee <ann@b.example>", ANN],
    ['"Lee, Ann" < ann@b.example >', ANN],
    ["<ann@b.example>", ANN],
    ["mailto:ann@b.example", ANN],
    ["MAILTO:ann@b.example?subject=Hi", ANN],
    ["\ufeffann@b.example\u200b", ANN],
    ["\u00a0ann@b.example\n", ANN],
    ["o'brien+x@b.example", "o'brien+x@b.example"],
  ])("%j is %s", (sent, email) => expect(emailIn({ email: sent })).toBe(email));

  test.each([
    "ann@b.example, bob@b.example",
    "ann@b.example;bob@b.example",
    '["ann@b.example"]',
    "ann@b.example>",
    "Ann <ann@b.example> x",
    "mailto:",
    "ann@b/x.example",
    "ann\u0000@b.example",
    "ann@b.example\ud800",
    `${"a".repeat(250)}@b.example`,
    "<".repeat(100_000),
    `<${" ".repeat(200_000)}`,
    `${"a@".repeat(100_000)}b.example`,
  ])("%j is none, and stays a property", (email) => {
    expect(readPayload({ email })).toMatchObject({
      contact: { email: null },
      properties: { email: email.toWellFormed() },
    });
  });
});
