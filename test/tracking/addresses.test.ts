import fc from "fast-check";
import { landingOf, parsePage, pathOf, referrerOf } from "../../shared/domain/tracking/address";

const page = (text: string): URL => {
  const url = parsePage(text);
  if (url === null) throw new Error(`not a page: ${text}`);
  return url;
};

describe("the path a page is counted under", () => {
  test.each([
    ["https://shop.example/cart?x=1#top", "/cart"],
    ["https://shop.example", "/"],
    ["https://shop.example/a%20b/", "/a%20b/"],
    ["https://shop.example/u/jane@mail.example/orders", "/u/[email]/orders"],
    ["https://shop.example/u/jane%40mail.example", "/u/[email]"],
    ["https://shop.example/u/jane%2540mail.example", "/u/[email]"],
    ["https://shop.example/u/jane%252540mail.example", "/u/[email]"],
    ["https://shop.example/u/jane＠mail.example", "/u/[email]"],
    ["https://shop.example/%ff/jane%40mail.example%ff", "/%ff/[email]"],
    ["https://shop.example/unsubscribe/amFuZUBtYWlsLmV4YW1wbGU=/x", "/unsubscribe/[email]/x"],
    [
      `https://shop.example/reset/eyJhbGciOiJub25lIn0.${Buffer.from('{"sub":"jane@mail.example"}').toString("base64url")}.x`,
      "/reset/[email]",
    ],
    ["https://shop.example/call/+1%20(415)%20555-0123", "/call/[phone]"],
    ["https://shop.example/call/tel:+491701234567", "/call/[phone]"],
    ["https://shop.example/p/4006381333931", "/p/4006381333931"],
    ["https://shop.example/c++/2026-11-21", "/c++/2026-11-21"],
    ["https://shop.example/@jane", "/@jane"],
    ["https://shop.example/map/@52.5,13.4,12z", "/map/@52.5,13.4,12z"],
  ])("%s is %s", (url, path) => {
    expect(pathOf(page(url), false)).toBe(path);
  });

  test("with hash routing the route stands behind the path, without its query", () => {
    expect(pathOf(page("https://shop.example/app#/cart?coupon=1"), true)).toBe("/app#/cart");
    expect(pathOf(page("https://shop.example/app#!/cart"), true)).toBe("/app#!/cart");
    expect(pathOf(page("https://shop.example/app#reviews"), true)).toBe("/app");
  });
});

describe("a landing address keeps what brought the visit and nothing of the person", () => {
  test.each([
    ["https://shop.example/?gclid=A_b-9&q=a%20b+c#top", "https://shop.example/?gclid=A_b-9&q=a%20b+c"],
    ["https://shop.example/?email=jane%40mail.example&gclid=x", "https://shop.example/?gclid=x"],
    [
      "https://shop.example/?E-Mail=x&First_Name=Jane&phone=1&token=t&utm_source=a",
      "https://shop.example/?utm_source=a",
    ],
    ["https://shop.example/?ref=jane@mail.example&a=1", "https://shop.example/?ref=%5Bemail%5D&a=1"],
    ["https://jane:pw@shop.example/x", "https://shop.example/x"],
    ["https://shop.example/u/jane@mail.example?a=1", "https://shop.example/u/[email]?a=1"],
  ])("%s is kept as %s", (url, kept) => {
    expect(landingOf(page(url))).toBe(kept);
  });

  test("an address too long to keep loses everything but its marketing parameters", () => {
    const kept = landingOf(
      page(`https://shop.example/x?junk=${"j".repeat(3_000)}&utm_source=google&gclid=abc`),
    );
    expect(kept).toBe("https://shop.example/x?utm_source=google&gclid=abc");
  });

  test("no e-mail survives, wherever it stands and however it is encoded", () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
    const email = fc.tuple(word, word).map(([name, host]) => `${name}@${host}.example`);
    const encode = fc.constantFrom(
      (text: string) => text,
      encodeURIComponent,
      (text: string) => encodeURIComponent(encodeURIComponent(text)),
    );
    fc.assert(
      fc.property(email, encode, word, (address, encoded, name) => {
        const text = encoded(address);
        for (const url of [`/${text}`, `/?${name}=${text}`, `/a/${text}/b?x=1&${text}=1`, `/?a=b#${text}`]) {
          const kept = page(`https://shop.example${url}`);
          for (const result of [landingOf(kept), pathOf(kept, true), referrerOf(kept.href)]) {
            expect(decodeURIComponent(decodeURIComponent(result ?? ""))).not.toContain(address);
          }
        }
      }),
    );
  });

  test("is bounded and never throws, whatever the address", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()),
        (text) => {
          const url = parsePage(text);
          if (url === null) return;
          expect(landingOf(url).length).toBeLessThanOrEqual(2_048);
          expect(pathOf(url, true).length).toBeLessThanOrEqual(512);
        },
      ),
    );
    const huge = page(
      `https://shop.example/${"@".repeat(4_000)}?${"a@".repeat(2_000)}=%&gclid=${"g".repeat(3_000)}`,
    );
    expect(landingOf(huge).length).toBeLessThanOrEqual(2_048);
  });
});

test.each([
  "javascript:alert(1)",
  "file:///etc/passwd",
  "about:blank",
  "data:text/html,x",
  "",
  "not a url",
  "https://",
])("%s is no page and no referrer", (text) => {
  expect(parsePage(text)).toBeNull();
  expect(referrerOf(text)).toBeNull();
});

test("an Android app is a referrer", () => {
  expect(referrerOf("android-app://com.google.android.gm/")).toBe("android-app://com.google.android.gm/");
});
