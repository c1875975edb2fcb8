import { MAX_AMOUNT } from "../../money";

const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i;
/** Optional sign, currency mark, sign again, digits with separators, currency mark: `-$5`, `$ -5`, `1 234,50 kr`. */
const SHAPE = /^(-?)([^\d.,'-]*)(-?) ?((?:\d|[.,](?=\d))[\d.,' ]*)([^\d,'-]*)$/u;
/** Digits in groups of three by one separator: `1,234` `1,234.50` `1.234,50` `1 234,50` `1'234.50`; never `1,23,4`. */
const GROUPED = /^(\d{1,3}([.,' ])\d{3}(?:\2\d{3})*)(?:([.,])(\d+))?$/;
/** Lakhs and crores, as India groups: `1,23,456.00`. */
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d+)?$/;
const COMMA_DECIMAL = /^(\d*),(\d+)$/;
const SPACES = /[\s\u00a0\u202f\u2009]+/g;

/** Signs (`$`, `US$`, `$US`), ISO 4217 codes and the few words that stand beside amounts. */
const SIGN = /^[a-z]{0,3}\p{Sc}[a-z]{0,3}$/iu;
const WORDS = new Set([...Intl.supportedValuesOf("currency"), "KR", "KČ", "ZŁ", "RS", "FR", "FT", "LEI"]);

/**
 * The number in `text` as people and tools write amounts: `49`, `$49`, `1,234.50`, `1.234,50 EUR`, `-5`, `(5)`.
 * Where a single separator is ambiguous, a point is a decimal point (`1.234` is 1.234) and a comma before exactly three
 * digits groups (`1,234` is 1234). Null for anything else, and beyond {@link MAX_AMOUNT}.
 */
export function parseAmount(text: string): number | null {
  if (text.length > 64) return null;
  const trimmed = text.trim();
  if (PLAIN.test(trimmed)) return inRange(Number(trimmed));
  const plainMarks = trimmed.replace(SPACES, " ").replaceAll("\u2212", "-").replaceAll("\u2019", "'");
  const bracketed = /^\((.*)\)$/.exec(plainMarks)?.[1];
  const parts = SHAPE.exec(bracketed ?? plainMarks);
  if (!parts) return null;
  const [, outerSign, before = "", innerSign, digits = "", after = ""] = parts;
  const amount = magnitude(digits.trim());
  const signs = [bracketed, outerSign, innerSign].filter(Boolean).length;
  if (amount === null || signs > 1 || !isMark(before) || !isMark(after)) return null;
  return inRange(signs === 1 ? -amount : amount);
}

/** `amount` when it is one we keep, else null. */
export const inRange = (amount: number): number | null =>
  Number.isFinite(amount) && Math.abs(amount) <= MAX_AMOUNT ? amount : null;

function isMark(text: string): boolean {
  const mark = text.trim().replace(/\.$/, "");
  return mark === "" || SIGN.test(mark) || WORDS.has(mark.toUpperCase());
}

function magnitude(text: string): number | null {
  if (PLAIN.test(text)) return Number(text);
  if (INDIAN.test(text)) return Number(text.replaceAll(",", ""));
  const grouped = GROUPED.exec(text);
  if (grouped) {
    const [, whole = "", separator, decimal, fraction = "0"] = grouped;
    return separator === decimal ? null : Number(`${whole.replace(/\D/g, "")}.${fraction}`);
  }
  const comma = COMMA_DECIMAL.exec(text);
  return comma ? Number(`${comma[1] || "0"}.${comma[2]}`) : null;
}
