import { authorizerHandler } from "../../functions/authorizer/handler";
import { newApiKey } from "../../shared/domain/access/api-key";
import { parseVerdict } from "../../shared/domain/access/verdict";
import { DAY } from "../../shared/domain/instant";
import { log } from "../../shared/lambda/log";
import { revokeApiKey } from "../../shared/storage/access/api-keys";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { findStanding } from "../../shared/storage/access/credentials";
import { deleteMember, updateMember } from "../../shared/storage/access/members";
import { setPlan } from "../../shared/storage/access/workspaces";
import { type Engine, startEngine } from "../support/engine";
import { NOW, random, type SomeWorkspace, someKey, someWorkspace } from "./support";

let engine: Engine;
let config: ConfigTable;
let shop: SomeWorkspace;
let now = NOW;
let roundTrips = 0;

beforeAll(async () => {
  engine = await startEngine();
  config = { dynamo: engine.dynamo, table: engine.tables.Config };
  engine.dynamo.middlewareStack.add(
    (next) => (call) => {
      roundTrips++;
      return next(call);
    },
    { step: "finalizeRequest" },
  );
});
afterAll(() => engine.close());
beforeEach(async () => {
  now = NOW;
  shop = await someWorkspace(config);
});

const authorizer = authorizerHandler({
  findStanding: (key, claims) => findStanding(config, key, claims),
  clock: () => now,
});

async function verdictOf(authorization?: string) {
  const answer = await authorizer({ headers: authorization === undefined ? {} : { authorization } });
  expect(answer.isAuthorized).toBe(true);
  return parseVerdict(answer.context);
}
const verdictOn = (key: string) => verdictOf(`Bearer ${key}`);

const refusal = (code: string) => ({ refusal: code });

test("a good key is its workspace and its creator's sites, found in one round trip", async () => {
  const { key, value } = await someKey(config, shop);
  roundTrips = 0;
  await expect(verdictOn(value)).resolves.toEqual({
    principal: { keyId: key.id, workspace: shop.workspace, sites: "all" },
  });
  expect(roundTrips).toBe(1);
});

test("a key made by a member with access to one site reads that site only", async () => {
  const { two, member } = shop;
  const { value } = await someKey(config, shop, { site: two.id, member: member.member });
  await expect(verdictOn(value)).resolves.toMatchObject({ principal: { sites: [two.id] } });
});

test("without a well-formed Bearer header the refusal is AUTH_REQUIRED, without a look-up", async () => {
  const { value } = await someKey(config, shop);
  roundTrips = 0;
  for (const header of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    `Basic ${value}`,
    value,
    `Bearer ${value} ${value}`,
    `Bearer ${value}, Bearer ${value}`,
    `Bearer ${"a".repeat(5_000)}`,
  ]) {
    await expect(verdictOf(header)).resolves.toEqual(refusal("AUTH_REQUIRED"));
  }
  expect(roundTrips).toBe(0);
});

test("an event without headers is AUTH_REQUIRED too", async () => {
  const answer = await authorizer({} as never);
  expect(parseVerdict(answer.context)).toEqual(refusal("AUTH_REQUIRED"));
});

test("a mistyped key is INVALID_API_KEY without a look-up", async () => {
  const { value } = await someKey(config, shop);
  roundTrips = 0;
  const typo = value.slice(0, -1) + (value.endsWith("a") ? "b" : "a");
  for (const key of [typo, value.slice(0, -1), "secret", value.toLowerCase()]) {
    await expect(verdictOn(key)).resolves.toEqual(refusal("INVALID_API_KEY"));
  }
  expect(roundTrips).toBe(0);
});

test("a well-formed key that was never created is INVALID_API_KEY, also with real numbers in it", async () => {
  const forged = newApiKey({ workspace: shop.workspace, member: shop.owner.member }, random);
  await expect(verdictOn(forged)).resolves.toEqual(refusal("INVALID_API_KEY"));
});

test("a revoked key is refused from the next request on, and the others stand", async () => {
  const [doomed, other] = [await someKey(config, shop), await someKey(config, shop)];
  await expect(verdictOn(doomed.value)).resolves.toHaveProperty("principal");
  await revokeApiKey(config, doomed.key, now);
  await expect(verdictOn(doomed.value)).resolves.toEqual(refusal("INVALID_API_KEY"));
  await expect(verdictOn(other.value)).resolves.toHaveProperty("principal");
});

test("a key is good to the last millisecond before its expiry and not after", async () => {
  const { value } = await someKey(config, shop, { expires: NOW + DAY });
  now = NOW + DAY - 1;
  await expect(verdictOn(value)).resolves.toHaveProperty("principal");
  now = NOW + DAY;
  await expect(verdictOn(value)).resolves.toEqual(refusal("INVALID_API_KEY"));
});

test("a lower plan refuses the key, and the same key works at once after the upgrade", async () => {
  const { value } = await someKey(config, shop);
  for (const plan of ["starter", "growth"] as const) {
    await setPlan(config, shop.workspace, plan);
    await expect(verdictOn(value)).resolves.toEqual(refusal("TIER_NO_API_ACCESS"));
  }
  await setPlan(config, shop.workspace, "unlimited");
  await expect(verdictOn(value)).resolves.toHaveProperty("principal");
});

test("an expired key on a lower plan is INVALID_API_KEY: the key is looked at before the plan", async () => {
  const { value } = await someKey(config, shop, { expires: NOW });
  await setPlan(config, shop.workspace, "starter");
  await expect(verdictOn(value)).resolves.toEqual(refusal("INVALID_API_KEY"));
});

test("a change of the creator's access holds for existing keys at once; removing the creator ends them", async () => {
  const { value } = await someKey(config, shop, { site: shop.two.id, member: shop.member.member });
  const changed = await updateMember(config, shop.member, { sites: [shop.one.id, shop.two.id] });
  await expect(verdictOn(value)).resolves.toMatchObject({
    principal: { sites: [shop.one.id, shop.two.id] },
  });
  await deleteMember(config, changed);
  await expect(verdictOn(value)).resolves.toEqual(refusal("INVALID_API_KEY"));
});

test("when the table fails the request goes on without a verdict", async () => {
  const broken = authorizerHandler({
    findStanding: () => Promise.reject(new Error("down")),
    clock: () => now,
  });
  const { value } = await someKey(config, shop);
  const silenced = jest.spyOn(log, "error").mockReturnValue();
  const answer = await broken({ headers: { authorization: `Bearer ${value}` } });
  expect(silenced).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(silenced.mock.calls)).not.toContain(value);
  silenced.mockRestore();
  expect(answer).toEqual({ isAuthorized: true, context: {} });
});
