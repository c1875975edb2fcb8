/**
 * Misspelled domains of mail providers, by the domain that was meant. Fixed and one-way (contract: "Inbound webhook",
 * rule 3): whole domains only, and none that exists in its own right, such as ymail.com, mail.com or yahoo.co.
 */
const MISSPELLINGS: Readonly<Record<string, string>> = {
  "gmail.com":
    "gmial.com gmai.com gmal.com gmil.com gamil.com gnail.com gmaill.com gmali.com gmaul.com gmail.co gmail.con gmail.cm gmail.om gmail.comm",
  "hotmail.com":
    "hotmial.com hotmal.com hotmai.com hotmil.com hotamil.com homail.com hotmaill.com htomail.com hotnail.com hotmail.con hotmail.cm",
  "yahoo.com": "yaho.com yahooo.com yhaoo.com yhoo.com yaoo.com yahoo.con",
  "outlook.com": "outlok.com outloo.com outllook.com oulook.com outlook.con",
  "icloud.com": "iclod.com icoud.com icloud.con",
  "aol.com": "aol.con",
};

const CORRECT: ReadonlyMap<string, string> = new Map(
  Object.entries(MISSPELLINGS).flatMap(([correct, misspelled]) =>
    misspelled.split(" ").map((domain): [string, string] => [domain, correct]),
  ),
);

/**
 * The address that was probably meant, to be tried as well: `email` with its domain corrected, whatever its case, and
 * what stands before the `@` untouched. Null when the domain is not on the list; a correct address never leads to
 * another.
 */
export function correctedEmail(email: string): string | null {
  const at = email.lastIndexOf("@");
  const domain =
    at < 1
      ? undefined
      : CORRECT.get(
          email
            .slice(at + 1)
            .trim()
            .toLowerCase(),
        );
  return domain === undefined ? null : email.slice(0, at + 1) + domain;
}
