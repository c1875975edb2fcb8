import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { authorizerHandler } from "../../functions/authorizer/handler";
import { FUNCTIONS, type FunctionSpec } from "../../infra/manifest";
import { newApiKey } from "../../shared/domain/access/api-key";
import { API_KEY_KINDS, opens } from "../../shared/domain/access/api-key-record";
import { parseVerdict } from "../../shared/domain/access/verdict";
import { DAY } from "../../shared/domain/instant";
import { log } from "../../shared/lambda/log";
import { revokeApiKey } from "../../shared/storage/access/api-keys";
import { credentialKey } from "../../shared/storage/access/config-keys";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { findStanding } from "../../shared/storage/access/credentials";
import { deleteMember, updateMember } from "../../shared/storage/access/members";
import { setPlan } from "../../shared/storage/access/workspaces";
import { type Engine, startEngine } from "../support/engine";
import { NOW, random, type SomeWorkspace, someAiAccess, someKey, someWorkspace } from "./support";

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

async function verdictOf(authorization?: string, routeKey = "GET /v1/overview") {
  const answer = await authorizer({
    headers: authorization === undefined ? {} : { authorization },
    routeKey,
  });
  expect(answer.isAuthorized).toBe(true);
  return parseVerdict(answer.context);
}
const verdictOn = (key: string, routeKey?: string) => verdictOf(`Bearer ${key}`, routeKey);

const GUARDED_ROUTES = Object.values<FunctionSpec>(FUNCTIONS).flatMap(({ routes = [], authorized }) =>
  authorized ? routes : [],
);

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

test("the AI-access key opens /mcp and nothing else, every other kind all else and not /mcp", async () => {
  const assistant = await someAiAccess(config, shop);
  await expect(verdictOn(assistant.value, "POST /mcp")).resolves.toEqual({
    principal: { keyId: assistant.key.id, workspace: shop.workspace, sites: "all" },
  });
  const elsewhere = GUARDED_ROUTES.filter((route) => route !== "POST /mcp");
  expect(elsewhere).toContain("GET /v1/overview");
  for (const route of elsewhere) {
    await expect(verdictOn(assistant.value, route)).resolves.toEqual(refusal("INVALID_API_KEY"));
  }
  for (const kind of ["api", "plugin"] as const) {
    const { value } = await someKey(config, shop, { kind });
    await expect(verdictOn(value, "POST /mcp")).resolves.toEqual(refusal("INVALID_API_KEY"));
    await expect(verdictOn(value)).resolves.toHaveProperty("principal");
  }
  expect(API_KEY_KINDS.filter((kind) => opens(kind, "POST /mcp"))).toEqual(["mcp"]);
});

test("on a lower plan a key of the wrong kind is INVALID_API_KEY: the key is looked at before the plan", async () => {
  const [assistant, program] = [await someAiAccess(config, shop), await someKey(config, shop)];
  await setPlan(config, shop.workspace, "growth");
  await expect(verdictOn(assistant.value)).resolves.toEqual(refusal("INVALID_API_KEY"));
  await expect(verdictOn(program.value, "POST /mcp")).resolves.toEqual(refusal("INVALID_API_KEY"));
  await expect(verdictOn(assistant.value, "POST /mcp")).resolves.toEqual(refusal("TIER_NO_API_ACCESS"));
});

test("a credential from before kinds were told apart is an API key", async () => {
  const { key, value } = await someKey(config, shop);
  await config.dynamo.send(
    new UpdateCommand({
      TableName: config.table,
      Key: credentialKey(key.hash),
      UpdateExpression: "REMOVE kind",
    }),
  );
  await expect(verdictOn(value)).resolves.toHaveProperty("principal");
  await expect(verdictOn(value, "POST /mcp")).resolves.toEqual(refusal("INVALID_API_KEY"));
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
  const answer = await broken({ headers: { authorization: `Bearer ${value}` }, routeKey: "GET /v1/leads" });
  expect(silenced).toHaveBeenCalledTimes(1);
  expect(JSON.stringify(silenced.mock.calls)).not.toContain(value);
  silenced.mockRestore();
  expect(answer).toEqual({ isAuthorized: true, context: {} });
});
