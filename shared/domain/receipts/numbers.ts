import { HIDDEN } from "./secret-names";

/** What may stand between the groups of a number as people and forms write it. */
const GAP = "(?:[ .+-]|%20)";
const DIGITS = new RegExp(`\\d+(?:${GAP}\\d+)*`, "g");
const LETTERS_AND_DIGITS = new RegExp(`[a-z0-9]+(?:${GAP}[a-z0-9]+)*`, "gi");
const GROUPS = new RegExp(`(${GAP})`);

const MAX_CARD = 19;
const MAX_IBAN = 34;

/**
 * `text` with the numbers of payment cards and bank accounts hidden, in one piece or in groups. An article number that
 * happens to pass the same check goes with them: one in ten of those that begin as a card does.
 */
export const withoutNumbers = (text: string): string =>
  text
    .replace(LETTERS_AND_DIGITS, (run) => hideGroups(run, isIban, MAX_IBAN))
    .replace(DIGITS, (run) => hideGroups(run, isCardNumber, MAX_CARD));

/** A card number: 13 to 19 digits that begin as those of a network do and pass Luhn's check. */
export function isCardNumber(digits: string): boolean {
  return (/^[3-6]\d{12,18}$/.test(digits) || /^2[2-7]\d{14}$/.test(digits)) && remainderOfLuhn(digits) === 0;
}

/** Whether the groups from some place on are a number together, is tried for every place and length. */
function hideGroups(run: string, isNumber: (joined: string) => boolean, longest: number): string {
  const parts = run.split(GROUPS);
  for (let from = 0; from < parts.length; from += 2) {
    let joined = "";
    for (let to = from; to < parts.length && joined.length <= longest; to += 2) {
      joined += parts[to];
      if (!isNumber(joined)) continue;
      parts.splice(from, to - from + 1, HIDDEN);
      break;
    }
  }
  return parts.join("");
}

function remainderOfLuhn(digits: string): number {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    sum += i % 2 === 0 ? digit : digit > 4 ? 2 * digit - 9 : 2 * digit;
  }
  return sum % 10;
}

/** ISO 13616: country, two check digits, account; the letters as numbers, the front behind, modulo 97 is 1. */
function isIban(text: string): boolean {
  if (text.length > MAX_IBAN || !/^[a-z]{2}\d{2}[a-z0-9]{11,}$/i.test(text)) return false;
  let remainder = 0;
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}

/** A number of JSON that is a card's, or so long that it may have been one before it lost its last digits. */
export const isCardNumberAsNumber = (value: number): boolean =>
  Number.isInteger(value) &&
  (Number.isSafeInteger(value)
    ? isCardNumber(String(value))
    : value > 0 && BigInt(value).toString().length <= MAX_CARD);
