import { randomBytes } from "node:crypto";
import * as fc from "fast-check";
import { hashApiKey, newApiKey, parseApiKey, previewOf } from "../../shared/domain/access/api-key";

const DIGITS = [..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"];
const number = fc.integer({ min: 1, max: 0xffff_ffff });
const key = fc
  .record({ workspace: number, member: number, secret: fc.uint8Array({ minLength: 20, maxLength: 20 }) })
  .map(({ secret, ...claims }) => ({ claims, text: newApiKey(claims, () => secret) }));

test("a key tells the workspace and the member it was made for", () => {
  fc.assert(fc.property(key, ({ claims, text }) => expect(parseApiKey(text)).toEqual(claims)));
});

test("every key has the same shape: the prefix and 43 letters and digits", () => {
  fc.assert(fc.property(key, ({ text }) => expect(text).toMatch(/^aas_[0-9A-Za-z]{43}$/)));
});

test("the order of 62 modulo the check prime is above 42, which the proof of the two claims below needs", () => {
  let power = 1n;
  for (let k = 1; k <= 42; k++) {
    power = (power * 62n) % 4_294_967_291n;
    expect(power).not.toBe(1n);
  }
});

test("every change of a single character is refused", () => {
  const text = newApiKey({ workspace: 7, member: 9 }, randomBytes);
  for (let at = 4; at < text.length; at++) {
    for (const digit of DIGITS.filter((other) => other !== text[at])) {
      expect(parseApiKey(text.slice(0, at) + digit + text.slice(at + 1))).toBeNull();
    }
  }
});

test("every swap of two different characters, neighbours or not, is refused", () => {
  fc.assert(
    fc.property(
      key,
      fc.integer({ min: 4, max: 46 }),
      fc.integer({ min: 4, max: 46 }),
      ({ text }, left, right) => {
        const characters = [...text];
        fc.pre(characters[left] !== characters[right]);
        [characters[left], characters[right]] = [characters[right] ?? "", characters[left] ?? ""];
        expect(parseApiKey(characters.join(""))).toBeNull();
      },
    ),
    { numRuns: 2_000 },
  );
});

test("lost, doubled and shifted characters, other prefixes and other alphabets are refused", () => {
  const text = newApiKey({ workspace: 1, member: 1 }, randomBytes);
  const wrong = [
    "",
    "aas_",
    text.slice(0, -1),
    `${text}0`,
    ` ${text}`,
    `${text}\n`,
    text.toUpperCase(),
    text.replace("aas_", "sk__"),
    `aas_0${text.slice(4, -1)}`,
    `aas_${"z".repeat(43)}`,
    `aas_${"0".repeat(43)}`,
    `aas_${"é".repeat(43)}`,
    `aas_${"𝟙".repeat(22)}`.slice(0, 47),
  ];
  for (const other of wrong) expect(parseApiKey(other)).toBeNull();
});

test("any text is either a key or refused, never an exception", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => expect(parseApiKey(`aas_${text}`)).toBeNull()),
  );
});

test("a number a key cannot hold is not put into one", () => {
  for (const workspace of [0, -1, 1.5, Number.NaN, 2 ** 32]) {
    expect(() => newApiKey({ workspace, member: 1 }, randomBytes)).toThrow(RangeError);
  }
});

test("the preview shows the first 8 and the last 4 characters, the hash nothing", () => {
  const text = newApiKey({ workspace: 1, member: 1 }, randomBytes);
  expect(previewOf(text)).toBe(`${text.slice(0, 8)}…${text.slice(-4)}`);
  expect(hashApiKey(text)).toMatch(/^[0-9a-f]{64}$/);
});
