/** Currencies whose amounts Stripe counts in whole units, and in thousandths. All others: in hundredths. */
const WHOLE = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));
const THOUSANDTHS = new Set("BHD JOD KWD OMR TND".split(" "));

/**
 * An amount of Stripe in units of `currency` (upper case; null is US dollars). Stripe's smallest unit is not always the
 * currency's own: Icelandic and Ugandan amounts come in hundredths although there are no such coins, Malagasy ones whole.
 */
export function fromStripeAmount(amount: number, currency: string | null): number {
  if (currency !== null && WHOLE.has(currency)) return amount;
  return amount / (currency !== null && THOUSANDTHS.has(currency) ? 1_000 : 100);
}
