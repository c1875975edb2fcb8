import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { formatToken, parseToken } from "../../shared/domain/conversion/receiving-webhook";
import { newId } from "../../shared/domain/ids";
import { createReceivingWebhook } from "../../shared/storage/conversion/manage-receiving-webhooks";
import { createReceivingWebhookDirectory } from "../../shared/storage/conversion/receiving-webhooks";
import { type Engine, startEngine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";
import { NOON } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const create = (wanted: { name?: string; eventType?: string; forwardToAds?: boolean }) =>
  createReceivingWebhook(
    {
      dynamo: engine.dynamo,
      table: engine.tables.Config,
      secrets: memorySecretBox(),
      clock: () => NOON,
      random: randomBytes,
    },
    { workspace: 1, site: 7, name: "Shop", eventType: "Purchase", ...wanted },
  );

test("a webhook is found by the token of its creation", async () => {
  const { webhook, token } = await create({ name: " Checkout ", forwardToAds: true });
  expect(webhook).toEqual({
    id: expect.stringMatching(/^whin_[0-9a-z]{26}$/),
    workspace: 1,
    site: 7,
    name: "Checkout",
    event: { type: "Purchase", name: "Purchase" },
    forwardToAds: true,
    created: NOON,
  });
  expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
  const directory = createReceivingWebhookDirectory(engine.dynamo, engine.tables.Config);
  expect(await directory.findByToken(token)).toEqual(webhook);
});

test("forwarding to ad platforms is off unless asked for", async () => {
  expect((await create({})).webhook.forwardToAds).toBe(false);
});

test.each([
  { name: "" },
  { name: "  " },
  { name: "x".repeat(101) },
  { eventType: "" },
  { eventType: "purchase" },
])("%j is refused", async (wanted) => {
  await expect(create(wanted)).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("tokens come back from their text, and no other text is one", () => {
  const secret = fc
    .uint8Array({ minLength: 32, maxLength: 32 })
    .map((b) => Buffer.from(b).toString("base64url"));
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4_294_967_295 }), secret, (site, secret) => {
      const token = { site, id: newId("whin", NOON, randomBytes), secret };
      expect(parseToken(formatToken(token))).toEqual(token);
      expect(parseToken(`${formatToken(token)}\n`)).toBeNull();
      expect(parseToken(`0${formatToken(token)}`)).toBeNull();
    }),
  );
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => expect(parseToken(text)).toBeNull()));
});
