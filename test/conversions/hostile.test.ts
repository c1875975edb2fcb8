import fc from "fast-check";
import { type Engine, startEngine } from "../support/engine";
import { factsOn, type Inbound, itemsOf, startInbound } from "./support";

/** A thousand by default; the nightly run asks for more. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);

let engine: Engine;
let inbound: Inbound;

beforeAll(async () => {
  engine = await startEngine();
  inbound = startInbound(engine);
});
afterAll(() => engine.close());

const KNOWN = [
  "email",
  "phone",
  "first_name",
  "last_name",
  "value",
  "currency",
  "order_id",
  "existing_email",
  "evid",
  "tm_id",
  "gclid",
  "products",
  "items",
  "sku",
  "quantity",
  "price",
  "__proto__",
  "constructor",
  "toString",
  "",
];

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a@b.example", "$1,234.50", "JPY", "KWD", "\u0000", "\ud800", "<script>", "=1+1", "1e400"),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.integer(),
    fc.constantFrom(null, true, false, 1e308, -0, 2 ** 53),
    fc.array(tie("any"), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KNOWN), text), tie("any"), { maxKeys: 5 }),
  ),
})).any;
/** JSON with repeated names, as text. */
const object = fc
  .array(
    fc.tuple(
      fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...KNOWN) }, { weight: 1, arbitrary: text }),
      value,
    ),
    {
      maxLength: 12,
    },
  )
  .map(
    (pairs) =>
      `{${pairs.map(([name, any]) => `${JSON.stringify(name)}:${JSON.stringify(any) ?? null}`).join(",")}}`,
  );
const cut = fc.tuple(object, fc.nat(200)).map(([json, at]) => json.slice(0, at));

test(`no body is answered with anything but 200 or 400, and what is accepted is recorded whole (${RUNS} bodies)`, async () => {
  const tokens = [await inbound.webhook("Purchase", 300), await inbound.webhook("Sign up", 300)];
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        { weight: 8, arbitrary: object },
        { weight: 1, arbitrary: cut },
        { weight: 1, arbitrary: fc.uint8Array({ maxLength: 50 }) },
        { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
      ),
      fc.constantFrom(...tokens),
      async (body, token) => {
        const answer = await inbound.post(token, body);
        if (answer.status === 400) {
          expect(answer.body).toMatchObject({ ok: false, outcome: "parse error", code: "PARSE_ERROR" });
          return;
        }
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          ok: true,
          outcome: expect.stringMatching(/^(accepted|deduped|ignored)$/),
        });
        if (answer.body.outcome === "accepted") accepted++;
      },
    ),
    { numRuns: RUNS },
  );
  const { conversions } = await factsOn(engine, 300);
  expect(conversions).toHaveLength(accepted);
  expect(accepted).toBeGreaterThan(RUNS / 4);
  const events = (await itemsOf(engine, "Identity"))
    .filter(({ sk }) => sk === "event")
    .map(({ event }) => event);
  const deliveries = (await itemsOf(engine, "Deliveries")).map(({ pk }) => String(pk).split("#"));
  const outbox = deliveries.filter(([kind]) => kind === "outbox").map(([, , event]) => event);
  const facts = conversions.map(({ id }) => id);
  expect(events.sort()).toEqual(facts.toSorted());
  expect(outbox.sort()).toEqual(facts.toSorted());
}, 120_000);

test.each([
  ["10,000 levels of arrays", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
  ["100,000 levels, known field", `{"email":${'{"email":'.repeat(20_000)}1${"}".repeat(20_000)}}`],
  [
    "10,000 properties",
    JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, i]))),
  ],
  ["256 KB of numbers that grow", `{"phone":"1","a":[${"1e20,".repeat(52_000)}1]}`],
  [
    "as much as an event can hold: long products, and numbers that grow",
    JSON.stringify({
      products: Array.from({ length: 99 }, (_, i) => ({
        sku: `${i}${"漢".repeat(198)}`,
        name: "漢".repeat(200),
      })),
      phone: "1",
      a: "@",
    }).replace('"@"', `[${"1e20,".repeat(11_300)}1]`),
  ],
  [
    "the same with the numbers first",
    JSON.stringify({
      a: "@",
      phone: "1",
      products: Array.from({ length: 99 }, (_, i) => ({
        sku: `${i}${"漢".repeat(198)}`,
        name: "漢".repeat(200),
      })),
    }).replace('"@"', `[${"1e20,".repeat(13_600)}1]`),
  ],
  ["256 KB of escaped text", `{"a":"${"\\u0000".repeat(43_000)}"}`],
  [
    "10,000 products",
    JSON.stringify({ products: Array.from({ length: 10_000 }, (_, i) => ({ id: i, price: 1 })) }),
  ],
  ["an enormous amount", '{"value":1e300,"phone":"1"}'],
  ["an integer of 400 digits", `{"value":${"9".repeat(400)},"phone":"1"}`],
  ["a negative amount", '{"value":-49.9,"phone":"1"}'],
])("%s is accepted", async (_, body) => {
  const answer = await inbound.post(await inbound.webhook("Purchase", 301), body);
  expect(answer).toMatchObject({ status: 200, body: { outcome: "accepted" } });
});

test("of a name given twice the last value holds, as in every JSON parser", async () => {
  const token = await inbound.webhook("Lead", 302);
  await inbound.post(token, '{"email":"one@b.example","email":"two@b.example"}');
  expect((await inbound.post(token, { email: "two@b.example" })).body.outcome).toBe("deduped");
});
