/**
 * Money as a whole number of thousandths of the currency's unit: the smallest minor unit in use (Kuwait's fils),
 * so that amounts of every currency add up as integers at face value (decisions: "summed at face value").
 */
export type Money = number;

const PER_UNIT = 1_000;
const CURRENCY_DIGITS: Record<string, number> = Object.fromEntries([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF".split(" ").map((code) => [code, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((code) => [code, 3]),
]);

/** The largest amount of one conversion, in units; nine thousand of them still add up exactly. */
export const MAX_AMOUNT = 1_000_000_000;

/**
 * `amount` in units of `currency` (ISO 4217, upper case), rounded half away from zero to that currency's minor unit.
 * Returns null for what is not a finite number within +-{@link MAX_AMOUNT}.
 */
export function toMoney(amount: number, currency: string): Money | null {
  if (!Number.isFinite(amount) || Math.abs(amount) > MAX_AMOUNT) return null;
  const scale = 10 ** (CURRENCY_DIGITS[currency] ?? 2);
  // Through the shortest decimal form: 1.005 * 100 is 100.49999999999999 in binary.
  const minor = Math.round(Number(`${Math.abs(amount).toFixed(6)}e${Math.log10(scale)}`));
  return Math.sign(amount) * minor * (PER_UNIT / scale) || 0;
}

/** Decimal units rounded half away from zero to 2 places, as every answer carries money (contract: "Money and rounding"). */
export function fromMoney(money: Money): number {
  return (Math.sign(money) * Math.round(Math.abs(money) / 10)) / 100 || 0;
}
