import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { bearerToken } from "../../shared/domain/access/bearer";
import { emailSchema, labelSchema } from "../../shared/domain/access/fields";
import { decoyHash, hashPassword, PASSWORD_COST, verifyPassword } from "../../shared/domain/access/password";
import { isSameOrigin } from "../../shared/domain/access/same-origin";
import { normalizeDomain } from "../../shared/domain/access/site-domain";
import { parseVerdict, toAuthorizerContext } from "../../shared/domain/access/verdict";

const CHEAP = { log2N: 4, r: 8, p: 1 };

describe("bearer token", () => {
  test.each([
    ["Bearer abc", "abc"],
    ["bearer abc", "abc"],
    ["BEARER   abc==", "abc=="],
    ["Bearer abc ", "abc"],
  ])("%j carries a token", (header, token) => expect(bearerToken(header)).toBe(token));

  test.each([
    undefined,
    "",
    "Bearer",
    "Bearer ",
    "Bearerabc",
    "Basic abc",
    "abc",
    "Bearer a b",
    "Bearer abc, Bearer def",
    "Bearer abc,def",
    "Bearer\tabc",
    "Bearer ä",
    `Bearer ${"a".repeat(513)}`,
  ])("%j is malformed", (header) => expect(bearerToken(header)).toBeNull());
});

describe("password", () => {
  test("verifies itself and nothing else, also when typed as other code points", async () => {
    const hash = await hashPassword("caf\u00e9 au lait", randomBytes, CHEAP);
    await expect(verifyPassword("cafe\u0301 au lait", hash)).resolves.toBe(true);
    await expect(verifyPassword("cafe au lait", hash)).resolves.toBe(false);
    await expect(verifyPassword("", hash)).resolves.toBe(false);
  });

  test("the stored hash names its cost and salts each time", async () => {
    const [one, two] = await Promise.all([
      hashPassword("same", randomBytes, CHEAP),
      hashPassword("same", randomBytes, CHEAP),
    ]);
    expect(one).toMatch(/^\$scrypt\$ln=4,r=8,p=1\$/);
    expect(one).not.toBe(two);
  });

  test("the decoy has the shape and cost of a real hash, and fits nothing", async () => {
    const real = await hashPassword("x", randomBytes);
    expect(decoyHash().length).toBe(real.length);
    expect(decoyHash().split("$")[2]).toBe(real.split("$")[2]);
    expect(128 * 2 ** PASSWORD_COST.log2N * PASSWORD_COST.r).toBeGreaterThanOrEqual(32 * 1024 ** 2);
    await expect(verifyPassword("", decoyHash(CHEAP))).resolves.toBe(false);
  });

  test("a broken stored hash fits nothing and throws nothing", async () => {
    for (const broken of ["", "plain", "$scrypt$ln=4,r=8,p=1$$", "$scrypt$ln=4,r=8,p=1$aa$aa"]) {
      await expect(verifyPassword("x", broken)).resolves.toBe(false);
    }
  });
});

describe("same origin", () => {
  const host = "app.example:8787";
  test.each([
    { origin: "http://app.example:8787", host },
    { origin: "https://APP.example:8787", host },
    { host },
    { host, "sec-fetch-site": "same-origin" },
    { host, "sec-fetch-site": "none" },
  ])("%j passes", (headers) => expect(isSameOrigin(headers as Record<string, string>)).toBe(true));

  test.each([
    { origin: "https://evil.example", host },
    { origin: "http://app.example", host },
    { origin: "http://app.example:8787.evil.example", host },
    { origin: "null", host },
    { origin: "", host },
    { origin: "app.example:8787", host },
    { origin: "http://app.example:8787" },
    { origin: "http://app.example:8787", host, "x-forwarded-proto": "https" },
    { host, "sec-fetch-site": "cross-site" },
    { host, "sec-fetch-site": "same-site" },
  ])("%j is refused", (headers) => expect(isSameOrigin(headers as Record<string, string>)).toBe(false));
});

describe("domain", () => {
  test.each([
    ["shop.example", "shop.example"],
    [" https://www.Shop.example/de?x=1 ", "shop.example"],
    ["shop.example:8080", "shop.example"],
    ["shop.example.", "shop.example"],
    ["www.example", "www.example"],
    ["www.co.uk", "co.uk"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["localhost:8787", "localhost"],
    ["127.0.0.1", "127.0.0.1"],
  ])("%j is %j", (text, domain) => expect(normalizeDomain(text)).toBe(domain));

  test.each([
    "",
    " ",
    "shop",
    "10.0.0.1",
    "2130706433",
    "[::1]",
    "shop .example",
    "user@shop.example",
    "ftp://shop.example",
    "javascript:alert(1)",
    "shop..example",
    "-shop.example",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(130)}example`,
    "https://",
    "\u0000.example",
  ])("%j names no site", (text) => expect(normalizeDomain(text)).toBeNull());

  test("is a fixed point: normalising again changes nothing", () => {
    fc.assert(
      fc.property(fc.webUrl(), (url) => {
        const domain = normalizeDomain(url);
        fc.pre(domain !== null && !domain.startsWith("www."));
        expect(normalizeDomain(domain ?? "")).toBe(domain);
      }),
    );
  });
});

describe("fields", () => {
  test("a label is trimmed and one line", () => {
    expect(labelSchema.parse("  Zapier  ")).toBe("Zapier");
    for (const bad of ["", "  ", "a\nb", "a\u0000b", "\ud800", "x".repeat(101), null, 5, {}]) {
      expect(labelSchema.safeParse(bad).success).toBe(false);
    }
  });

  test("an e-mail is trimmed and lower case", () => {
    expect(emailSchema.parse(" Ann@Shop.Example ")).toBe("ann@shop.example");
    for (const bad of ["", "ann", "ann@", "a b@c.de", "a@b", `${"a".repeat(250)}@b.example`, null]) {
      expect(emailSchema.safeParse(bad).success).toBe(false);
    }
  });
});

describe("verdict", () => {
  test("survives the gateway's flat context", () => {
    for (const verdict of [
      { principal: { keyId: "key_1", workspace: 1, sites: "all" as const } },
      { principal: { keyId: "key_1", workspace: 1, sites: [1, 2] } },
      { refusal: "INVALID_API_KEY" as const },
    ]) {
      expect(parseVerdict(toAuthorizerContext(verdict))).toEqual(verdict);
    }
  });

  test("what is missing, garbled or both at once is no verdict", () => {
    const principal = { keyId: "key_1", workspace: 1, sites: "all" };
    for (const context of [
      {},
      { verdict: 5 },
      { verdict: "" },
      { verdict: "{" },
      { verdict: "null" },
      { verdict: '{"refusal":"OTHER"}' },
      { verdict: JSON.stringify({ principal: { ...principal, workspace: 0 } }) },
      { verdict: JSON.stringify({ principal, refusal: "INVALID_API_KEY" }) },
    ]) {
      expect(parseVerdict(context)).toBeNull();
    }
  });
});
