/** What stands in the place of what was found. */
export const EMAIL_MASK = "[email]";
const PHONE_MASK = "[phone]";

const EMAIL = /[^\s@/:]{1,64}@[^\s@/]{1,190}\.[^\s@/.]{2,24}/;
/** International form only: without the `+`, article numbers and barcodes look the same. */
const PHONE = /(?<![\p{L}\d])(?:\+|tel:)\s?\d(?:[ ().-]{0,2}\d){7,14}(?!\d)/iu;
/** Long enough for an address in base64 or base64url; a signed token is several of these. */
const ENCODED = /[A-Za-z0-9_+-]{12,}/g;
const READABLE = /^[\x20-\x7e]+$/;

/** Links are encoded once for each system they pass through. */
const DECODINGS = 3;

/**
 * `text`, or a mask in its place when it names a person: by an e-mail address (see {@link holdsEmail}) or by a phone
 * number in international form.
 *
 * Facts hold no personal data (design: invariant 6). Every text in them that a stranger can choose goes through here:
 * paths, sources, names and numbers of products.
 */
export function withoutPerson(text: string): string {
  if (holdsEmail(text)) return EMAIL_MASK;
  return forms(text).some((form) => PHONE.test(form)) ? PHONE_MASK : text;
}

/**
 * Whether an e-mail address stands in `text`: as it is, in full-width characters, percent-encoded up to three times, or
 * in base64, alone or as part of a token.
 */
export const holdsEmail = (text: string): boolean =>
  forms(text).some((form) => EMAIL.test(form) || holdsEncodedEmail(form));

/** `text`, and what it says once it is decoded. */
function forms(text: string): string[] {
  const found = [text];
  for (let form = text; form.includes("%") && found.length <= DECODINGS; found.push(form))
    form = decode(form);
  return found.map((form) => form.normalize("NFKC"));
}

/** Decodes what can be decoded, so that one broken escape does not hide an address beside it. */
const decode = (text: string): string =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      return escapes.replaceAll("%40", "@");
    }
  });

const holdsEncodedEmail = (text: string): boolean =>
  (text.match(ENCODED) ?? []).some((word) => {
    const plain = Buffer.from(word, "base64").toString("latin1");
    return READABLE.test(plain) && EMAIL.test(plain);
  });
