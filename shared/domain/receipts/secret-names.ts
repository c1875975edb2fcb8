/** What stands in the place of a secret. */
export const HIDDEN = "[hidden]";

/** Parts of names (lower case, letters and digits alone) whose values are nobody's business, whatever they hold. */
const PARTS = [
  ...[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "credential",
    "authorization",
  ],
  ...["apikey", "accesskey", "privatekey", "secretkey", "signingkey", "encryptionkey", "sessionid", "cookie"],
  ...["cardnumber", "ccnumber", "cardno", "creditcardnum", "cvc", "cvv", "securitycode", "cardcode"],
  ...["iban", "accountnumber", "routingnumber", "sortcode", "socialsecurity", "onetimecode"],
];

/** Names that would be part of harmless ones: `shipping` holds a `pin`, `company` a `pan`. */
const WHOLE = ["auth", "pass", "pin", "pan", "otp", "csc", "ssn", "bearer", "jwt", "xauth", "signature"];

const PART = new RegExp(PARTS.join("|"));
const WHOLE_NAMES = new Set(WHOLE);

/** Whether a field of this name is a secret: in any case, and however its words are joined. */
export function isSecretName(name: string): boolean {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, "");
  return WHOLE_NAMES.has(plain) || PART.test(plain);
}

/** The names as they may stand in text: words apart by a character or an escape, or not at all. */
const spelled = (name: string): string => [...name].join("(?:[\\s_.-]|%20)?");

/** Finds the names in text; what may follow a part (`password_confirmation`) belongs to it. */
export const SECRET_NAME_SOURCE = [
  `(?:${PARTS.map(spelled).join("|")})[\\w.-]{0,40}`,
  `(?<![a-z0-9])(?:${WHOLE.map(spelled).join("|")})(?![a-z0-9])`,
].join("|");
