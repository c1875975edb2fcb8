import fc from "fast-check";
import type { JsonObject } from "../../../shared/domain/conversion/json";
import { MAX_BODY_BYTES, readBody } from "../../../shared/domain/conversion/payload/body";
import { nest } from "../../../shared/domain/conversion/payload/bracketed";

const read = (body: string, type = "application/x-www-form-urlencoded") =>
  readBody(Buffer.from(body), { "content-type": type });

describe("names in brackets", () => {
  test.each<[string, JsonObject]>([
    ["customer[email]=a&customer[name][first]=b", { customer: { email: "a", name: { first: "b" } } }],
    ["items[0][sku]=a&items[1][sku]=b", { items: [{ sku: "a" }, { sku: "b" }] }],
    ["items[1][sku]=b&items[0][sku]=a", { items: [{ sku: "a" }, { sku: "b" }] }],
    ["items%5B0%5D%5Bsku%5D=a", { items: [{ sku: "a" }] }],
    ["tags[]=a&tags[]=b", { tags: ["a", "b"] }],
    ["tag=a&tag=b", { tag: ["a", "b"] }],
    ["a=1&a[b]=2", { a: ["1", { b: "2" }] }],
    ["fields[17]=a&fields[400000000000]=b", { fields: { 17: "a", 400000000000: "b" } }],
    ["a[01]=x", { a: { "01": "x" } }],
    ["a[b=1&a]b=2&[c]=3&a[b]c=4", { "a[b": "1", "a]b": "2", "[c]": "3", "a[b]c": "4" }],
    ["a&b=1", { a: "", b: "1" }],
    ["=x&&a=", { "": "x", a: "" }],
    ["first+name=Ann+Lee&sum=1%2B1", { "first name": "Ann Lee", sum: "1+1" }],
  ])("%s", async (body, payload) => {
    expect(await read(body)).toEqual({ payload });
  });

  test("`__proto__` and `constructor` nest like any name, and change no prototype", async () => {
    const reading = await read("__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][b]=1");
    const payload = "payload" in reading ? reading.payload : {};
    expect(Object.keys(payload)).toEqual(["__proto__", "constructor", "a"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  test("more brackets than a payload has levels are part of the name", async () => {
    const deep = `a${"[b]".repeat(80_000)}`;
    expect(await read(`${deep}=1`)).toEqual({ payload: { [deep]: "1" } });
    expect(await read(`a${"[b]".repeat(9)}=1`)).toHaveProperty("payload.a.b.b.b.b.b.b.b.b.b", "1");
  });

  test("256 KB of fields is read in time", async () => {
    const bodies = ["a[]=1&", "a=1&", "&=", "a[0]=1&", "%", "%4", "[", "a[b]=&"].map((part) =>
      part.repeat(MAX_BODY_BYTES / part.length).slice(0, MAX_BODY_BYTES),
    );
    const started = performance.now();
    for (const body of bodies) await read(body);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  test("an object written in brackets reads back as it was", () => {
    const name = fc.string({ unit: fc.constantFrom("a", "b", "_", "-"), minLength: 1, maxLength: 3 });
    const { tree } = fc.letrec<{ tree: JsonObject; entry: JsonObject | string }>((tie) => ({
      tree: fc.dictionary(name, tie("entry"), { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
      entry: fc.oneof({ depthSize: "small", withCrossShrink: true }, fc.string(), tie("tree")),
    }));
    fc.assert(fc.property(tree, (object) => expect(nest(pairsOf(object, ""))).toEqual(object)));
  });
});

function pairsOf(object: JsonObject, prefix: string): [string, string][] {
  return Object.entries(object).flatMap(([key, value]): [string, string][] => {
    const name = prefix === "" ? key : `${prefix}[${key}]`;
    return typeof value === "string" ? [[name, value]] : pairsOf(value as JsonObject, name);
  });
}

describe("multipart", () => {
  const part = (name: string, value: string, more = "") =>
    `--X\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
  const FORM = `${part("customer[email]", "ann@b.example")}${part("note", "ü\r\n--Y")}--X--\r\n`;
  const ANN = { customer: { email: "ann@b.example" }, note: "ü\r\n--Y" };

  test.each([
    "multipart/form-data; boundary=X",
    'Multipart/Form-Data; charset=utf-8; boundary="X"',
    "multipart/form-data",
    "application/json",
    "text/plain",
    "",
  ])("is read when sent as %j", async (type) => expect(await read(FORM, type)).toEqual({ payload: ANN }));

  test("files are left out, and so is what stands around the parts", async () => {
    const file = part("photo", "\u0000\u0001", '; filename="a.png"\r\ncontent-type: image/png');
    expect(await read(`preamble\r\n${file}${FORM}epilogue`, "multipart/form-data; boundary=X")).toEqual({
      payload: ANN,
    });
  });

  test("an empty form holds nothing", async () => {
    expect(await read("--X--\r\n", "multipart/form-data; boundary=X")).toEqual({ payload: {} });
  });

  test("a form cut off anywhere before its end is a parse error, never half a form", async () => {
    const end = FORM.lastIndexOf("--X--") + "--X-".length;
    for (let length = 1; length <= end; length++) {
      const reading = await read(FORM.slice(0, length), "multipart/form-data; boundary=X");
      expect(reading).toHaveProperty("problem");
    }
  });

  test.each([
    ["another boundary", FORM, "multipart/form-data; boundary=Y"],
    ["a boundary of no ASCII", FORM.replaceAll("X", "é"), "multipart/form-data; boundary=é☃"],
    ["nothing but boundaries", "--X\r\n".repeat(50_000), "multipart/form-data; boundary=X"],
    ["one endless header", `--X\r\n${"a:b\r\n".repeat(50_000)}`, "multipart/form-data; boundary=X"],
  ])("%s is read or refused, never thrown at", async (_, body, type) => {
    const reading = await read(body, type);
    expect(Object.keys(reading)).toEqual([expect.stringMatching(/^(payload|problem)$/)]);
  });
});
