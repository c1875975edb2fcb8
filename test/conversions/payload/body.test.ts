import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import {
  type BodyHeaders,
  type BodyReading,
  MAX_BODY_BYTES,
  readBody,
} from "../../../shared/domain/conversion/payload/body";

const ANN = { email: "ann@b.example", note: "ü" };
const ANN_JSON = JSON.stringify(ANN);
const FORM = "email=ann%40b.example&note=%C3%BC";

const read = (body: string | Uint8Array, type?: string, encoding?: string): Promise<BodyReading> => {
  const headers: BodyHeaders = {
    ...(type === undefined ? {} : { "content-type": type }),
    ...(encoding === undefined ? {} : { "content-encoding": encoding }),
  };
  return readBody(Buffer.from(body), headers);
};

describe("what a body looks like decides", () => {
  test.each([
    "application/json",
    "application/json; charset=utf-8",
    "text/json",
    "application/vnd.api+json",
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "multipart/form-data; boundary=x",
    "garbage",
    "",
    undefined,
  ])("JSON sent as %j is read as JSON", async (type) => {
    expect(await read(` \r\n${ANN_JSON}\n`, type)).toEqual({ payload: ANN });
  });

  test.each([
    "application/x-www-form-urlencoded; charset=UTF-8",
    "text/plain",
    "text/html",
    "garbage",
    undefined,
  ])("a form sent as %j is read as a form", async (type) =>
    expect(await read(FORM, type)).toEqual({ payload: ANN }),
  );

  test("what says that it is JSON must be", async () => {
    expect(await read(FORM, "application/json")).toEqual({ problem: "The body is not valid JSON." });
  });

  test("a form of text lines, as HTML sends text/plain, is read unescaped", async () => {
    expect(await read("email=ann@b.example\r\nnote=1 + 1 = 100%\r\n", "text/plain")).toEqual({
      payload: { email: "ann@b.example", note: "1 + 1 = 100%" },
    });
  });

  test.each(["<email>a=b</email>", "Hello, 1 = 1", "hello", "a b=c"])(
    "%j is neither JSON nor a form",
    async (text) => {
      expect(await read(text, "text/plain")).toEqual({ problem: "The body is neither JSON nor a form." });
    },
  );

  test("text without one equals sign is no form, whatever it says it is", async () => {
    expect(await read("hello", "application/x-www-form-urlencoded")).toHaveProperty("problem");
  });

  test("JSON inside a JSON string, as tools send that escape it once too often, is read", async () => {
    expect(await read(JSON.stringify(ANN_JSON))).toEqual({ payload: ANN });
    expect(await read(JSON.stringify("text"))).toEqual({ problem: "The body is not a JSON object." });
  });
});

describe("JSON", () => {
  test("of a name given twice the last value holds", async () => {
    expect(await read('{"a":1,"b":{"c":1,"c":2},"a":3}')).toEqual({ payload: { a: 3, b: { c: 2 } } });
  });

  test("whole numbers too long to be exact are kept digit for digit, the others as numbers", async () => {
    expect(
      await read('{"id":820982911946154508,"n":9007199254740991,"x":1e20,"f":0.1234567890123456789}'),
    ).toEqual({
      payload: {
        id: "820982911946154508",
        n: 9007199254740991,
        x: 1e20,
        f: Number("0.1234567890123456789"),
      },
    });
  });

  test("100,000 levels are read, also beside long numbers", async () => {
    const deep = `{"n":12345678901234567890,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await read(deep)).toHaveProperty("payload.a");
  });

  test("`__proto__` is a name like any other, and changes no prototype", async () => {
    const reading = await read('{"__proto__":{"polluted":1},"n":12345678901234567890}');
    const payload = "payload" in reading ? reading.payload : {};
    expect(Object.keys(payload)).toEqual(["__proto__", "n"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("encodings", () => {
  const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16();

  test.each<[string, Uint8Array, string | undefined]>([
    ["UTF-8 with a byte order mark", Buffer.from(`\ufeff${ANN_JSON}`), undefined],
    ["UTF-16, low byte first, with its mark", Buffer.from(`\ufeff${ANN_JSON}`, "utf16le"), undefined],
    ["UTF-16, high byte first, with its mark", utf16be(`\ufeff${ANN_JSON}`), undefined],
    [
      "UTF-16 with its mark, said to be UTF-8",
      Buffer.from(`\ufeff${ANN_JSON}`, "utf16le"),
      "application/json; charset=utf-8",
    ],
    ["named UTF-16", Buffer.from(ANN_JSON, "utf16le"), "application/json; charset=utf-16le"],
    ["named Latin-1", Buffer.from(ANN_JSON, "latin1"), 'application/json; charset="ISO-8859-1"'],
    ["named Shift-JIS", Buffer.from('{"email":"ann@b.example","note":"\\u00fc"}'), "x/y; charset=shift_jis"],
    ["of UTF-8 that is said to be Latin-1", Buffer.from(ANN_JSON), "application/json; charset=iso-8859-1"],
    ["of UTF-8 that is said to be UTF-16", Buffer.from(ANN_JSON), "application/json; charset=utf-16"],
    ["of a charset nobody knows", Buffer.from(ANN_JSON), "application/json; charset=klingon"],
  ])("JSON %s is read", async (_, bytes, type) => {
    expect(await read(bytes, type)).toEqual({ payload: ANN });
  });

  test.each<[string, Uint8Array, string | undefined]>([
    ["UTF-16 without a mark", Buffer.from(ANN_JSON, "utf16le"), undefined],
    ["Latin-1 that is not named", Buffer.from(ANN_JSON, "latin1"), undefined],
    ["half a character", Buffer.from(ANN_JSON).subarray(0, -3), undefined],
    ["UTF-32", Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0, 0x7d, 0, 0, 0]), undefined],
    ["bytes that are no text", Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]), undefined],
    ["Latin-1 of a charset nobody knows", Buffer.from(ANN_JSON, "latin1"), "text/plain; charset=klingon"],
    ["NUL bytes", Buffer.alloc(100), undefined],
  ])("%s is a parse error", async (_, bytes, type) => {
    expect(await read(bytes, type ?? "application/json")).toHaveProperty("problem");
  });

  test("the escapes of a form are UTF-8, else Windows-1252, or what is named", async () => {
    const type = "application/x-www-form-urlencoded";
    expect(await read("a=%FC&b=%C3%BC", type)).toEqual({ payload: { a: "ü", b: "ü" } });
    expect(await read("a=%E0", `${type}; charset=windows-1251`)).toEqual({ payload: { a: "а" } });
    expect(await read("a=%zz%&b=100%", type)).toEqual({ payload: { a: "%zz%", b: "100%" } });
  });
});

describe("compression", () => {
  const GZIP = gzipSync(ANN_JSON);

  test.each<[string, Uint8Array, string | undefined]>([
    ["gzip", GZIP, "gzip"],
    ["gzip by another case and name", GZIP, " X-GZip "],
    ["gzip that is not named", GZIP, undefined],
    ["what is named gzip and was unpacked on its way", Buffer.from(ANN_JSON), "gzip"],
    ["deflate", deflateSync(ANN_JSON), "deflate"],
    ["deflate without its wrapper", deflateRawSync(ANN_JSON), "deflate"],
    ["br", brotliCompressSync(ANN_JSON), "br"],
    ["zstd", zstdCompressSync(ANN_JSON), "zstd"],
    ["two codings", gzipSync(brotliCompressSync(ANN_JSON)), "br, gzip"],
    ["identity", Buffer.from(ANN_JSON), "identity"],
  ])("%s is read", async (_, bytes, encoding) => {
    expect(await read(bytes, "application/json", encoding)).toEqual({ payload: ANN });
  });

  test.each<[string, Uint8Array, string]>([
    ["gzip that breaks off", GZIP.subarray(0, -9), "gzip"],
    ["gzip with a broken middle", Buffer.from(GZIP).fill(0, 12, 20), "gzip"],
    ["no br", Buffer.from(ANN_JSON), "br"],
    ["an unknown coding", Buffer.from(ANN_JSON), "lzma"],
    ["a tower of codings", GZIP, "gzip,gzip,gzip,gzip"],
  ])("%s is a parse error", async (_, bytes, encoding) => {
    expect(await read(bytes, "application/json", encoding)).toEqual({
      problem: expect.stringContaining("Content-Encoding"),
    });
  });

  test.each<[string, (body: Uint8Array) => Uint8Array]>([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ])("%s may unpack to 256 KB and to not one byte more", async (encoding, compress) => {
    const padded = (bytes: number) => Buffer.from(`{"a":"${"x".repeat(bytes - 8)}"}`);
    expect(await read(compress(padded(MAX_BODY_BYTES)), undefined, encoding)).toHaveProperty("payload");
    expect(await read(compress(padded(MAX_BODY_BYTES + 1)), undefined, encoding)).toEqual({
      oversized: true,
    });
  });

  test("a bomb of 100 MB, packed twice over, is stopped at 256 KB", async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(100_000_000)));
    expect(bomb.length).toBeLessThan(2_000);
    expect(await read(bomb, undefined, "gzip, gzip")).toEqual({ oversized: true });
  });
});
