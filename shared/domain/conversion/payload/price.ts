import type { JsonValue } from "../json";
import type { FieldReader } from "../text";
import { inRange, parseAmount } from "./amount";

/** An amount, and the currency that stands beside it where one does. */
export interface Price {
  /** In units of the currency. */
  readonly amount: number;
  /** ISO 4217, upper case. */
  readonly currency: string | null;
}

/** Signs of one currency. `$`, `¥` and `kr` are those of several and name none. */
const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ "€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "₪": "ILS", "₺": "TRY", "₽": "RUB", "₴": "UAH" },
    ...{ "₫": "VND", "₦": "NGN", "฿": "THB", "₱": "PHP", "₡": "CRC", "₸": "KZT", "₲": "PYG", "₵": "GHS" },
    ...{ US$: "USD", CA$: "CAD", C$: "CAD", A$: "AUD", AU$: "AUD", NZ$: "NZD", HK$: "HKD", MX$: "MXN" },
    ...{ R$: "BRL", S$: "SGD", NT$: "TWD", ZŁ: "PLN", KČ: "CZK", FT: "HUF", LEI: "RON" },
  }),
);
const CODES = new Set(Intl.supportedValuesOf("currency"));
/** All of an amount's text that is no currency mark. */
const NUMBER = /[\d\s.,'\u2019()+\u2212-]/g;

/** An amount of money, in units of its currency: a number, or text as people and tools write it (see parseAmount). */
export const price: FieldReader<Price> = (value) => {
  const amount = amountOf(value);
  return amount === null ? null : { amount, currency: typeof value === "string" ? currencyIn(value) : null };
};

/** The amount alone: a number, or a numeric string. */
export const amountOf: FieldReader<number> = (value: JsonValue) =>
  typeof value === "number" ? inRange(value) : typeof value === "string" ? parseAmount(value) : null;

function currencyIn(text: string): string | null {
  const mark = text.replace(NUMBER, "").toUpperCase();
  return SIGNS.get(mark) ?? (CODES.has(mark) ? mark : null);
}
