import fc from "fast-check";
import { parseAmount } from "../../shared/domain/conversion/payload/amount";
import { price } from "../../shared/domain/conversion/payload/price";
import { toMoney } from "../../shared/domain/money";

test.each([
  ["49", 49],
  ["49.90", 49.9],
  [" 49.9 ", 49.9],
  [".5", 0.5],
  ["$.5", 0.5],
  ["1e3", 1000],
  ["+5", 5],
  ["-5", -5],
  ["\u22125", -5],
  ["(5.50)", -5.5],
  ["$49", 49],
  ["-$49", -49],
  ["$-49", -49],
  ["US$ 49", 49],
  ["49 €", 49],
  ["€49,90", 49.9],
  ["EUR 1.234,50", 1234.5],
  ["1.234,50 EUR", 1234.5],
  ["1,234.50", 1234.5],
  ["1,234", 1234],
  ["1,234,567", 1234567],
  ["1.234.567,8", 1234567.8],
  ["1.234", 1.234],
  ["12,34", 12.34],
  ["1 234,50", 1234.5],
  ["1\u202f234,50 zł", 1234.5],
  ["CHF 1'234.50", 1234.5],
  ["1\u2019234.50", 1234.5],
  ["499 kr.", 499],
  ["¥1000", 1000],
  ["₹1,23,456.50", 123456.5],
  ["12,34,567", 1234567],
  ["-1.234,50", -1234.5],
  ["1000000000", 1_000_000_000],
])("%j is %d", (text, amount) => {
  expect(parseAmount(text)).toBe(amount);
});

test.each([
  "",
  " ",
  "free",
  "NaN",
  "Infinity",
  "1e999",
  "1,23,4",
  "1.2.3",
  "1,234,50",
  "1,23,456,7",
  "123,45,678",
  "12 apples",
  "12abc",
  "0x10",
  "5%",
  "--5",
  "(-5)",
  "5 kr. x",
  "$.",
  "-$-5",
  "$",
  ".",
  "1-2",
  "1000000001",
  "9".repeat(65),
  "1\u00002",
])("%j is no amount", (text) => {
  expect(parseAmount(text)).toBeNull();
});

test.each([
  ["49 EUR", "EUR"],
  ["€ 49,00", "EUR"],
  ["-£5", "GBP"],
  ["usd 1,234.50", "USD"],
  ["US$ 49", "USD"],
  ["R$ 1.234,50", "BRL"],
  ["1 234,50 zł", "PLN"],
  ["$49", null],
  ["¥1000", null],
  ["499 kr.", null],
  ["1e3", null],
  ["49", null],
  [49, null],
])("beside %j stands the currency %j", (value, currency) => {
  expect(price(value)).toEqual({ amount: expect.any(Number), currency });
});

test.each([null, true, [], {}, "free", "49 apples", Number.NaN, 1e300])("%j is no price", (value) => {
  expect(price(value)).toBeNull();
});

test("amounts come back from how they are written for people", () => {
  const formats = ["en-US", "de-DE", "fr-FR", "de-CH", "sv-SE"];
  fc.assert(
    fc.property(
      fc.integer({ min: -99_999_999, max: 99_999_999 }),
      fc.constantFrom(...formats),
      fc.constantFrom("USD", "EUR", "GBP"),
      (cents, locale, currency) => {
        const text = new Intl.NumberFormat(locale, { style: "currency", currency }).format(cents / 100);
        expect(parseAmount(text)).toBe(cents / 100);
      },
    ),
  );
});

test("any text is a finite number or none, quickly", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 100 }), (text) => {
      const amount = parseAmount(text);
      expect(amount === null || Number.isFinite(amount)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("0.1 + 0.2, yen and fils are whole numbers of the smallest unit", () => {
  expect((toMoney(0.1, "USD") ?? 0) + (toMoney(0.2, "USD") ?? 0)).toBe(toMoney(0.3, "USD"));
  expect(toMoney(1234.4, "JPY")).toBe(1_234_000);
  expect(toMoney(1.2345, "KWD")).toBe(1_235);
});
