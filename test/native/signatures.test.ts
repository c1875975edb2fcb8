import fc from "fast-check";
import { VERIFIERS } from "../../functions/native/verifiers";
import { MINUTE, SECOND } from "../../shared/domain/instant";
import { CALENDLY_KEY, calendlySignature, NOON, STRIPE_SECRET, stripeSignature } from "./builders";

const PAYLOAD = '{"event":"ü€\u{1f600}"}';
const body = Buffer.from(PAYLOAD);

describe.each([
  ["stripe", STRIPE_SECRET, stripeSignature],
  ["calendly", CALENDLY_KEY, calendlySignature],
] as const)("%s", (kind, secret, sign) => {
  const { isRight } = VERIFIERS[kind];
  const check = (signature: string, change: Partial<Parameters<typeof isRight>[0]> = {}) =>
    isRight({ body, signature, secret, now: NOON, ...change });

  test("a message signed with the secret is the service's", () => {
    expect(check(sign(PAYLOAD))).toBe(true);
  });

  test("within five minutes of its time, and no later", () => {
    expect(check(sign(PAYLOAD), { now: NOON + 5 * MINUTE })).toBe(true);
    expect(check(sign(PAYLOAD), { now: NOON + 5 * MINUTE + SECOND })).toBe(false);
  });

  test("not with another secret, another body, another time, or without its last byte", () => {
    expect(check(sign(PAYLOAD, `${secret}x`))).toBe(false);
    expect(check(sign(`${PAYLOAD} `))).toBe(false);
    expect(check(sign(PAYLOAD).replace(`t=${NOON / SECOND}`, `t=${NOON / SECOND + 1}`))).toBe(false);
    expect(check(sign(PAYLOAD), { body: body.subarray(0, -1) })).toBe(false);
    expect(check(sign(PAYLOAD).slice(0, -1))).toBe(false);
  });

  test("also beside another signature, as while a secret is replaced", () => {
    const [, other] = sign(PAYLOAD, `${secret}x`).split(",");
    expect(check(`${sign(PAYLOAD)},${other}`)).toBe(true);
    const [t, own] = sign(PAYLOAD).split(",");
    expect(check(`${t},${other},${own},v0=00`)).toBe(true);
  });

  test.each([
    "",
    "t=",
    "v1=",
    "t=,v1=",
    `t=${NOON / SECOND}`,
    `t=${NOON / SECOND},v1=`,
    `t=NaN,v1=${"0".repeat(64)}`,
    `t=${NOON / SECOND},v1=${"é".repeat(64)}`,
    `t=${NOON / SECOND},v0=${"0".repeat(64)}`,
    `${"t=1,".repeat(10_000)}v1=00`,
  ])("%s is no signature", (signature) => {
    expect(check(signature)).toBe(false);
  });

  test("nothing a stranger can make up is one, and nothing makes the check fail", () => {
    const header = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string().map((value) => `t=${NOON / SECOND},v1=${value}`),
      fc.array(fc.stringMatching(/^(t|v1)=[0-9a-f]{0,70}$/)).map((parts) => parts.join(",")),
    );
    fc.assert(
      fc.property(header, fc.uint8Array(), (signature, bytes) => {
        expect(check(signature, { body: bytes })).toBe(false);
      }),
    );
  });
});

test("a message of Calendly's from the future is refused like one from the past", () => {
  const message = { body, signature: calendlySignature(PAYLOAD), secret: CALENDLY_KEY };
  const { isRight } = VERIFIERS.calendly;
  expect(isRight({ ...message, now: NOON - 5 * MINUTE })).toBe(true);
  expect(isRight({ ...message, now: NOON - 5 * MINUTE - SECOND })).toBe(false);
});
