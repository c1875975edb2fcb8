import fc from "fast-check";
import type { JsonObject, JsonValue } from "../../shared/domain/conversion/json";
import { isCardNumber } from "../../shared/domain/receipts/numbers";
import { MAX_PREVIEW_BYTES, previewBody, previewPayload } from "../../shared/domain/receipts/preview";

const RUNS = Number(process.env.FUZZ_RUNS ?? 400);
const bytes = (text: string) => Buffer.from(text);

describe("a payload's preview", () => {
  test("is its JSON, with what is personal left in", () => {
    const payload = {
      email: "ann@example.com",
      phone: "+49 30 123456",
      customer: { first_name: "Ann", tags: ["vip", 1, true, null] },
      order_id: "4711",
      value: 49.9,
      time: 1_783_598_400_000,
      gclid: "EAIaIQobChMI",
    };
    expect(previewPayload(payload)).toBe(JSON.stringify(payload));
  });

  test.each([
    "password",
    "Password",
    "new_password_confirmation",
    "customer[password]",
    "api_key",
    "apiKey",
    "X-API-Key",
    "access_token",
    "client-secret",
    "Authorization",
    "card_number",
    "cardNumber",
    "cvc",
    "CVV2",
    "iban",
    "pin",
    "private_key",
    "ssn",
  ])("hides %s, whatever it holds", (name) => {
    for (const value of ["s3cr3t", 1234, true, ["s3cr3t"], { a: { b: "s3cr3t" } }]) {
      expect(previewPayload({ a: [{ [name]: value }], z: 1 })).toBe(
        JSON.stringify({ a: [{ [name]: "[hidden]" }], z: 1 }),
      );
    }
  });

  test.each(["shipping", "company", "author", "expanded", "passenger", "tm_evid", "click_id", "description"])(
    "does not hide %s",
    (name) => {
      expect(previewPayload({ [name]: "x" })).toBe(JSON.stringify({ [name]: "x" }));
    },
  );

  test("does not take a product for a secret that is called like one", () => {
    const product = { name: "Cookie jar", sku: "C1", price: 12 };
    expect(previewPayload({ products: [product] })).toBe(JSON.stringify({ products: [product] }));
  });

  test.each([
    [{ fields: [{ label: "Password", value: "s3cr3t" }] }],
    [{ raw: '{"password":"s3cr3t"}' }],
    [{ raw: '{"raw":"{\\"pass\\":\\"s3cr3t\\"}"}' }],
    [{ url: "https://x.example/?a=1&access_token=s3cr3t&b=2" }],
    [{ headers: "Accept: */*\nAuthorization: Basic s3cr3ts3cr3t" }],
    [{ note: "curl -H 'X: Bearer s3cr3ts3cr3t'" }],
    [{ key: "whsec_s3cr3ts3cr3t" }],
    [{ "password=s3cr3t": 1 }],
  ])("hides the secret in %j", (payload) => {
    const preview = previewPayload(payload);
    expect(preview).toContain("[hidden]");
    expect(preview).not.toContain("s3cr3t");
  });

  test.each([
    "4111111111111111",
    "4111 1111 1111 1111",
    "5555-5555-5555-4444",
    "378282246310005",
    "2223003122003222",
    "555 1234 4111 1111 1111 1111 12",
    "card4111111111111111x",
    "DE89370400440532013000",
    "pay to gb82 WEST 1234 5698 7654 32 today",
  ])("hides the number in %j, also beside others", (text) => {
    const preview = previewPayload({ note: text, [text]: 1 });
    expect(preview.match(/\[hidden\]/g)).toHaveLength(2);
    expect(preview).not.toMatch(/1111|5555|8224|2003122|0440|5698/);
  });

  test("hides card numbers that are numbers, also one too long to be kept exactly", () => {
    expect(previewPayload({ a: 4111111111111111, b: 4111111111111111000, c: 4111111111111112 })).toBe(
      '{"a":"[hidden]","b":"[hidden]","c":4111111111111112}',
    );
  });

  test("shows the beginning of long texts and of the whole, and says that there is more", () => {
    expect(previewPayload({ a: "x".repeat(300) })).toBe(`{"a":"${"x".repeat(200)}…"}`);
    const ones = previewPayload({ a: Array(5_000).fill(1) });
    expect([Buffer.byteLength(ones), ones.endsWith("1…")]).toEqual([MAX_PREVIEW_BYTES, true]);
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`field ${i}`, "é".repeat(50)]));
    const preview = previewPayload(many);
    expect(preview.endsWith("…")).toBe(true);
    expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(MAX_PREVIEW_BYTES);
    expect(Buffer.byteLength(preview)).toBeGreaterThan(MAX_PREVIEW_BYTES - 4);
  });

  test("shows what is not seen, or turns the text around, by its number", () => {
    expect(previewPayload({ a: "b\u202egnp.exe\u0000\u009f\u{e0001}" })).toBe(
      '{"a":"b\\u202egnp.exe\\u0000\\u009f\\udb40\\udc01"}',
    );
  });
});

describe("a preview of a body that is no payload", () => {
  test.each([
    [
      '{"email":"a@b.example","password":"s3cr3t","value":5',
      '{"email":"a@b.example","password":[hidden],"value":5',
    ],
    ['{"password":"s3cr3t', '{"password":[hidden]'],
    ['{"pin": 1234, "email": "x"', '{"pin": [hidden]"email": "x"'],
    ['{"tokens": ["a", "s3cr3t"], "b": 1', '{"tokens": [hidden]'],
    ["a=1&password=s3cr3t&b=2", "a=1&password=[hidden]&b=2"],
    ["user%5Bpassword%5D=s3cr3t&b=2", "user%5Bpassword%5D=[hidden]&b=2"],
    ["card=4111+1111+1111+1111&b=2", "card=[hidden]&b=2"],
    ["<a><Password>s3cr3t</Password><b>1</b></a>", "<a><Password>[hidden]</Password><b>1</b></a>"],
    [
      '--x\r\nContent-Disposition: form-data; name="password"\r\n\r\ns3cr3t\r\n--x',
      '--x\\u000d\\u000aContent-Disposition: form-data; name="password"\\u000d\\u000a\\u000d\\u000a[hidden]\\u000d\\u000a--x',
    ],
  ])("%j is %j", (body, preview) => {
    expect(previewBody(bytes(body))).toBe(preview);
  });

  test("bytes that are no text, and text of two bytes a character, are readable as far as they can be", () => {
    expect(previewBody(new Uint8Array([0x61, 0xff, 0x01]))).toBe("aÿ\\u0001");
    const wide = Buffer.from('{"a":1,"password":"s3cr3t"', "utf16le");
    expect(previewBody(wide)).toBe('{"a":1,"password":[hidden]');
  });
});

const MARK = "QZQZQZ";
const secret = fc
  .string({ unit: "grapheme", maxLength: 20 })
  .map((text) => MARK + text.replaceAll('"', "") + MARK);
const card = fc
  .tuple(
    fc.constantFrom("4", "51", "55", "34", "37", "6011", "62", "2223"),
    fc.bigInt({ min: 0n, max: 10n ** 19n }),
  )
  .map(([front, digits]) => {
    const length = front.startsWith("3") ? 15 : 16;
    const open = (front + String(digits).padStart(19, "0")).slice(0, length - 1);
    const last = [..."0123456789"].find((digit) => isCardNumber(open + digit));
    return open + last;
  });
const written = fc
  .tuple(card, fc.constantFrom("", " ", "-", "."))
  .map(([digits, gap]) => ({ digits, text: digits.match(/.{1,4}/g)?.join(gap) ?? digits }));
const secretName = fc.constantFrom(
  "password",
  "PASSWD",
  "x-api-key",
  "accessToken",
  "secret",
  "cvc",
  "iban",
  "otp",
);
const place = fc.array(fc.oneof(fc.string({ maxLength: 5 }), fc.constant(0)), { maxLength: 9 });
const json = fc.jsonValue({ depthSize: "small" }) as fc.Arbitrary<JsonValue>;

/** `value` at the end of a path of names and lists, something else beside it at each step. */
const at = (path: readonly (string | number)[], value: JsonValue, beside: JsonValue): JsonValue =>
  path.reduceRight<JsonValue>(
    (inner, step) => (typeof step === "number" ? [beside, inner] : { beside, [step]: inner }),
    value,
  );

test("no secret is in a preview, wherever it stands and whatever is about it", () => {
  fc.assert(
    fc.property(place, secretName, secret, written, json, (path, name, hidden, number, beside) => {
      const payload: JsonObject = { a: at(path, { [name]: hidden, card: `x ${number.text},` }, beside) };
      const text = JSON.stringify(payload);
      const nested = { a: at(path, text.slice(0, 4_000), beside) };
      for (const preview of [
        previewPayload(payload),
        previewPayload(nested),
        previewBody(bytes(text)),
        previewBody(bytes(text.slice(0, -3))),
        previewBody(bytes(`x=1&${name}=${encodeURIComponent(hidden)}&card=${number.text}`)),
      ]) {
        expect(preview).not.toContain(MARK);
        expect(preview).not.toContain(number.digits);
        expect(preview).not.toContain(number.text);
      }
    }),
    { numRuns: RUNS },
  );
});

test("a preview is at most 2 KB of well-formed text without control characters, whatever the body", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 5_000 }),
    fc.tuple(fc.string({ minLength: 1, maxLength: 10 }), fc.nat(5_000)).map(([part, n]) => part.repeat(n)),
  );
  const body = fc.oneof(fc.uint8Array({ maxLength: 20_000 }), text.map(bytes));
  fc.assert(
    fc.property(body, fc.object(), text, (body, some, long) => {
      const payload = { ...(JSON.parse(JSON.stringify(some)) as JsonObject), long, [long]: [long] };
      for (const preview of [previewBody(body), previewPayload(payload)]) {
        expect(Buffer.byteLength(preview)).toBeLessThanOrEqual(MAX_PREVIEW_BYTES);
        expect(preview.isWellFormed()).toBe(true);
        expect(preview).not.toMatch(/\p{Cc}/u);
      }
    }),
    { numRuns: RUNS },
  );
});

test("hostile bodies of full size are previewed in linear time", () => {
  const full = (part: string) => part.repeat(Math.ceil((256 * 1024) / part.length));
  const parts = [
    "token",
    'password"\n',
    "4 ",
    "41111111",
    "a1 ",
    '\\\\"',
    "token: ",
    "DE89 ",
    "%20",
    "[",
    "eyJ.",
  ];
  for (const part of parts) {
    // Were it not linear, the test would run out of time here.
    previewBody(bytes(full(part)));
    previewPayload({ a: full(part), [full(part)]: full(part) });
  }
  let deep: JsonValue = "x";
  for (let i = 0; i < 5_000; i++) deep = [deep];
  expect(previewPayload({ deep })).toContain("…");
});
