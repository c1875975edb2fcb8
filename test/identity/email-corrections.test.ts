import fc from "fast-check";
import { correctedEmail } from "../../shared/domain/identity/email-corrections";

/** Written out once more, as the reference has them: the list is fixed. */
const PAIRS = `
  gmail.com <- gmial.com gmai.com gmal.com gmil.com gamil.com gnail.com gmaill.com gmali.com gmaul.com gmail.co gmail.con gmail.cm gmail.om gmail.comm
  hotmail.com <- hotmial.com hotmal.com hotmai.com hotmil.com hotamil.com homail.com hotmaill.com htomail.com hotnail.com hotmail.con hotmail.cm
  yahoo.com <- yaho.com yahooo.com yhaoo.com yhoo.com yaoo.com yahoo.con
  outlook.com <- outlok.com outloo.com outllook.com oulook.com outlook.con
  icloud.com <- iclod.com icoud.com icloud.con
  aol.com <- aol.con`
  .trim()
  .split("\n")
  .flatMap((line) => {
    const [right = "", wrong = ""] = line.trim().split(" <- ");
    return wrong.split(" ").map((domain): [string, string] => [domain, right]);
  });

test("the list has 40 domains", () => expect(PAIRS).toHaveLength(40));

test.each(PAIRS)("%s was meant to be %s, and never the other way round", (wrong, right) => {
  expect(correctedEmail(`Ann.Lee+x@${wrong}`)).toBe(`Ann.Lee+x@${right}`);
  expect(correctedEmail(`ann@${wrong.toUpperCase()}`)).toBe(`ann@${right}`);
  expect(correctedEmail(`ann@${right}`)).toBeNull();
});

test.each([
  ...["ymail.com", "mail.com", "googlemail.com", "yahoo.co", "hotmail.co"],
  ...["yahoo.co.uk", "hotmail.co.uk", "hotmail.fr", "outlook.de", "yahoo.de", "aol.de"],
  ...["sub.gmial.com", "gmial.com.example", "xgmial.com", "gmial.co", "constructor", "__proto__", ""],
])("%s is left alone", (domain) => expect(correctedEmail(`ann@${domain}`)).toBeNull());

test("typos before the @ are not repaired, and only the last @ divides", () => {
  expect(correctedEmail("gmial.com@example.com")).toBeNull();
  expect(correctedEmail("@gmial.com")).toBeNull();
  expect(correctedEmail("gmial.com")).toBeNull();
});

test("a corrected address is never corrected again", () => {
  const email = fc.tuple(
    fc.emailAddress(),
    fc.constantFrom(...PAIRS.map(([wrong]) => wrong), "example.com", "gmail.com"),
  );
  fc.assert(
    fc.property(email, ([address, domain]) => {
      const corrected = correctedEmail(address.replace(/@.*/, `@${domain}`));
      if (corrected !== null) expect(correctedEmail(corrected)).toBeNull();
    }),
  );
});
