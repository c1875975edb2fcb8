import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { MAX_BODY_BYTES } from "../../shared/domain/conversion/payload/body";
import { CONNECTORS } from "./tools/connectors";
import { PEOPLE } from "./tools/people";
import { SELLERS } from "./tools/sellers";
import { SHOPS } from "./tools/shops";

/** A request as some tool, or nobody in their right mind, would send it. */
export interface SentBody {
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

const NAMES = [
  ...[
    "email",
    "phone",
    "first_name",
    "lastName",
    "value",
    "currency",
    "order_id",
    "existing_email",
    "customData",
  ],
  ...[
    "evid",
    "tm_id",
    "gclid",
    "click-id",
    "products",
    "items",
    "line_items",
    "sku",
    "name",
    "quantity",
    "price",
  ],
  ...["versions", "value_type", "__proto__", "constructor", "toString", "", "0", "[]", "a[b]"],
];
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("a@b.example", "Ann <a@b.example>", "$1,234.50", "1.234,50 €", "JPY", "KWD", "-5", "1e400"),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "<script>",
    "=1+1",
    "%00",
    "%zz",
    "&",
    "=",
    "\r\n--X",
    "漢".repeat(300),
  ),
);
const name = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...NAMES) }, { weight: 1, arbitrary: text });

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.constantFrom(null, true, 1e308, -0, 2 ** 53, 0.1, 49),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(name, tie("value"), { maxKeys: 5 }),
  ),
}));

/** JSON with repeated names, as text. */
const json = fc
  .array(fc.tuple(name, value), { maxLength: 10 })
  .map(
    (pairs) => `{${pairs.map(([key, any]) => `${JSON.stringify(key)}:${JSON.stringify(any)}`).join(",")}}`,
  );

const steps = fc.array(fc.oneof(name, fc.nat(3).map(String), fc.constant("")), { maxLength: 12 });
const fieldName = fc
  .tuple(name, steps)
  .map(([first, rest]) => first + rest.map((step) => `[${step}]`).join(""));
const fields = fc.array(fc.tuple(fieldName, text), { maxLength: 10 });

const form = fc
  .tuple(fields, fc.boolean())
  .map(([pairs, escaped]) =>
    escaped ? new URLSearchParams(pairs).toString() : pairs.map(([key, any]) => `${key}=${any}`).join("&"),
  );

const multipart = fc
  .tuple(fields, fc.constantFrom("", '; filename="a"', "\r\ncontent-type: text/plain"), fc.boolean())
  .map(([pairs, more, ended]) => {
    const parts = pairs.map(
      ([key, any]) => `--X\r\ncontent-disposition: form-data; name="${key}"${more}\r\n\r\n${any}\r\n`,
    );
    return `${parts.join("")}--X${ended ? "--\r\n" : ""}`;
  });

const real = fc.constantFrom(...[...SHOPS, ...SELLERS, ...PEOPLE, ...CONNECTORS].map(({ body }) => body));

/** A few bytes cut, put in or doubled, anywhere. */
const mutated = fc
  .tuple(real, fc.array(fc.tuple(fc.nat(), fc.nat(40), fc.uint8Array({ maxLength: 8 }), fc.boolean())))
  .map(([body, edits]) =>
    edits.reduce<Uint8Array>((bytes, [place, length, put, doubled]) => {
      const at = place % (bytes.length + 1);
      return Buffer.concat([bytes.subarray(0, at + (doubled ? length : 0)), put, bytes.subarray(at)]);
    }, Buffer.from(body)),
  );

/** Something said over and over, up to the limit and a little beyond. */
const long = fc
  .tuple(
    json,
    fc.constantFrom("{", "[", '{"a":', "1e20,", '"', "a=1&", "a[]=1&", "[a]", "--X\r\n", "漢"),
    fc.nat(20),
  )
  .map(([some, unit, extra]) => {
    const entry = unit === "1e20," ? `{"email":"a@b.example","a":[${unit}` : `${some},${unit}`;
    const room = MAX_BODY_BYTES + 10 - extra;
    return (entry + unit.repeat(room / Buffer.byteLength(unit))).slice(0, room);
  });

const bytes = fc.oneof(
  { weight: 6, arbitrary: fc.oneof(json, form, multipart).map((written) => Buffer.from(written)) },
  { weight: 4, arbitrary: mutated },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.oneof(json, form).map((written) => Buffer.from(`\ufeff${written}`, "utf16le")) },
);

const TYPES = [
  ...[
    "application/json",
    "application/json; charset=utf-16",
    "application/x-www-form-urlencoded",
    "text/plain",
  ],
  ...["multipart/form-data; boundary=X", "multipart/form-data", "text/html; charset=shift_jis", "", ";;=,"],
];
const PACKED = [
  (body: Uint8Array) => ({ body, coding: "" }),
  (body: Uint8Array) => ({ body: gzipSync(body), coding: "gzip" }),
  (body: Uint8Array) => ({ body: deflateSync(body), coding: "deflate" }),
  (body: Uint8Array) => ({ body: brotliCompressSync(body, { params: { 1: 1 } }), coding: "br" }),
  (body: Uint8Array) => ({ body, coding: "deflate, gzip" }),
];

/** Bodies of every kind, sent as anything; one in a hundred is about as large as may be. */
export const sentBody: fc.Arbitrary<SentBody> = fc
  .tuple(
    fc.oneof(
      { weight: 99, arbitrary: bytes },
      { weight: 1, arbitrary: long.map((some) => Buffer.from(some)) },
    ),
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(...TYPES) },
      { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant(PACKED[0]) },
      { weight: 1, arbitrary: fc.constantFrom(...PACKED) },
    ),
  )
  .map(([plain, type, pack]) => {
    const { body, coding } = pack?.(plain) ?? { body: plain, coding: "" };
    return { body, headers: { "content-type": type, "content-encoding": coding } };
  });
