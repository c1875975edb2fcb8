import { gzipSync } from "node:zlib";
import type { Sent } from "./service";

/** A request with something wrong with it, apart from where it goes. */
export type Nasty = readonly [what: string, sent: Partial<Sent> & { readonly query?: string }];

const JSON_TYPE = { "content-type": "application/json" };
const nested = (levels: number): string => `${'{"a":['.repeat(levels)}1${"]}".repeat(levels)}`;

const BODIES: readonly (readonly [what: string, body: string | Uint8Array])[] = [
  ["nothing", ""],
  ["null", "null"],
  ["a number", "1"],
  ["an array", "[{},{}]"],
  ["an empty object", "{}"],
  ["half an object", '{"email":"a@b'],
  ["20,000 levels", nested(20_000)],
  [
    "prototypes",
    '{"__proto__":{"email":"a@b.example"},"constructor":{"prototype":1},"toString":1,"then":{}}',
  ],
  ["half characters", '{"email":"\\ud800@b.example","name":"\\udc00","\\ud800":"\\u0000"}'],
  [
    "numbers beyond range",
    '{"value":1e400,"site":1e308,"evid":1e308,"now":1e308,"hits":[1e308],"email":-1e400}',
  ],
  [
    "wrong types",
    '{"email":{},"password":[],"name":1,"domain":true,"sites":{},"plan":[],"site":"1","hits":{}}',
  ],
  ["UTF-16", Buffer.from('{"email":"a@b.example"}', "utf16le")],
  ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])],
  ["300 KB", `{"a":"${"x".repeat(300_000)}"}`],
];

const TYPES = [
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=b",
  "text/plain",
  "garbage",
];

/** The nastiest requests that every route has to stand. */
export const NASTY: readonly Nasty[] = [
  ...BODIES.map(([what, body]): Nasty => [`a body of ${what}`, { headers: JSON_TYPE, body }]),
  ...TYPES.map(
    (type): Nasty => [
      `a body of type ${type}`,
      { headers: { "content-type": type }, body: '--b\r\n&a[b][c]=%zz&email=%00&"}' },
    ],
  ),
  ["a compressed body", { headers: { ...JSON_TYPE, "content-encoding": "gzip" }, body: gzipSync("{}") }],
  ["a broken escape in the query", { query: "site_id=%zz&from=%&timezone=%ff%00" }],
  ["parameters twice and as lists", { query: "site_id=1&site_id=2&site_id[]=3&period[]=today&limit=&limit" }],
  [
    "odd parameters",
    {
      query: "site_id=%EF%BC%91&period=toString&from=0000-00-00&to=__proto__&timezone=../../etc",
    },
  ],
  ["8 KB of query", { query: `site_id=${"9".repeat(4_000)}&timezone=${"x".repeat(4_000)}` }],
  ["2,000 parameters", { query: "a=1&".repeat(2_000) }],
  ["no such key", { headers: { authorization: "Bearer aas_x" } }],
  ["another scheme", { headers: { authorization: "Basic %00" } }],
  ["two keys", { headers: { authorization: ["Bearer a", "Bearer b"] } }],
  ["8 KB of key", { headers: { authorization: `Bearer ${"k".repeat(8_000)}` } }],
  ["odd cookies", { headers: { cookie: `=;session;__Host-session=é;session=${"s".repeat(43)};a=b=c;;` } }],
  [
    "odd origins",
    { headers: { origin: "http://[::1", referer: "javascript:1", "sec-fetch-site": "cross-site" } },
  ],
  [
    "the origin null",
    { headers: { origin: "null", "content-type": "text/plain" }, body: '{"site":1,"hits":[1]}' },
  ],
  [
    "odd everything",
    {
      headers: {
        "accept-encoding": "gzip;q=x,*;q=,,;",
        "cache-control": "no-cache,,=;",
        "if-none-match": '",W/',
        "x-forwarded-for": "é, ::ffff:1.2.3.4, 999.1.1.1,,",
        "x-forwarded-proto": "javascript",
        "cloudfront-viewer-country": "<x>",
        ["__proto__"]: "x",
        constructor: "x",
      },
    },
  ],
  ...["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"].map(
    (method): Nasty => [`the method ${method}`, { method }],
  ),
];

/** What may stand where a route has a parameter; none of it names anything. */
export const ODD_SEGMENTS = ["%00", "..%2f..", "%F0%9F%92%A9", "__proto__", "1-", `${"a".repeat(2_000)}`];

export const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";
