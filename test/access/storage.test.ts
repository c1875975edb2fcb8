import { GetCommand, ScanCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { DAY, MINUTE } from "../../shared/domain/instant";
import { findApiKey, listApiKeys, renameApiKey, revokeApiKey } from "../../shared/storage/access/api-keys";
import { siteKey } from "../../shared/storage/access/config-keys";
import { type ConfigTable, nextNumber } from "../../shared/storage/access/config-table";
import {
  createMember,
  deleteMember,
  findMemberByEmail,
  listMembers,
  updateMember,
} from "../../shared/storage/access/members";
import { createSessions } from "../../shared/storage/access/sessions";
import {
  createSite,
  createSiteDirectory,
  findSite,
  listSites,
  updateSite,
} from "../../shared/storage/access/sites";
import {
  createWorkspace,
  findWorkspace,
  listWorkspaces,
  setPlan,
} from "../../shared/storage/access/workspaces";
import { type Engine, startEngine } from "../support/engine";
import { NOW, nextEmail, random, type SomeWorkspace, someKey, someWorkspace } from "./support";

let engine: Engine;
let config: ConfigTable;
let shop: SomeWorkspace;

beforeAll(async () => {
  engine = await startEngine();
  config = { dynamo: engine.dynamo, table: engine.tables.Config };
});
afterAll(() => engine.close());
beforeEach(async () => {
  shop = await someWorkspace(config);
});

/** Runs it `times` times at once and sorts out what became of it. */
async function atOnce<T>(times: number, run: (i: number) => Promise<T>) {
  const settled = await Promise.allSettled(Array.from({ length: times }, (_, i) => run(i)));
  return {
    done: settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])),
    codes: settled.flatMap((one) => (one.status === "rejected" ? [one.reason.code ?? one.reason] : [])),
  };
}

const person = (email: string, role: "owner" | "member" = "member") => ({
  workspace: shop.workspace,
  email,
  name: "P",
  role,
  sites: "all" as const,
  passwordHash: "x",
});

describe("under concurrency", () => {
  test("100 numbers asked for at once are 100 numbers in a row", async () => {
    const { done } = await atOnce(100, () => nextNumber(config, "site"));
    const sorted = done.sort((a, b) => a - b);
    expect(sorted).toEqual(sorted.map((_, i) => (sorted[0] ?? 0) + i));
  });

  test("50 creations of one e-mail give one member, who is the one that is found", async () => {
    const email = nextEmail();
    const { done, codes } = await atOnce(50, () => createMember(config, person(email), NOW));
    expect(done).toHaveLength(1);
    expect(codes).toEqual(Array(49).fill("CONFLICT"));
    await expect(findMemberByEmail(config, email)).resolves.toEqual(done[0]);
    await expect(listMembers(config, shop.workspace)).resolves.toHaveLength(3);
  });

  test("50 creations of one domain give one site", async () => {
    const input = { workspace: shop.workspace, domain: "same.example", name: "S" };
    const { done, codes } = await atOnce(50, () => createSite(config, input, NOW));
    expect(done).toHaveLength(1);
    expect(codes).toEqual(Array(49).fill("CONFLICT"));
    await expect(listSites(config, shop.workspace)).resolves.toEqual([shop.one, shop.two, done[0]]);
  });

  test("20 sites moved to one domain at once: one arrives, the others stay where they were", async () => {
    const sites = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        createSite(config, { workspace: shop.workspace, domain: `s${i}.example`, name: "S" }, NOW),
      ),
    );
    const { done } = await atOnce(20, (i) =>
      updateSite(config, sites[i] ?? shop.one, { domain: "goal.example" }),
    );
    expect(done).toHaveLength(1);
    const domains = (await listSites(config, shop.workspace)).map((site) => site.domain);
    expect(new Set(domains).size).toBe(22);
    expect(domains.filter((domain) => domain === "goal.example")).toHaveLength(1);
  });

  test("10 owners who leave at once leave one behind", async () => {
    const owners = await Promise.all(
      Array.from({ length: 9 }, () => createMember(config, person(nextEmail(), "owner"), NOW)),
    );
    const all = [...owners, shop.owner];
    const { codes } = await atOnce<unknown>(10, (i) => {
      const owner = all[i] ?? shop.owner;
      return i % 2 === 0 ? deleteMember(config, owner) : updateMember(config, owner, { role: "member" });
    });
    expect(codes).toEqual(["CONFLICT"]);
    const left = (await listMembers(config, shop.workspace)).filter((member) => member.role === "owner");
    expect(left).toHaveLength(1);
    await expect(findWorkspace(config, shop.workspace)).resolves.toMatchObject({ owners: 1 });
  });

  test("one key revoked 20 times at once is revoked once", async () => {
    const { key } = await someKey(config, shop);
    const { done, codes } = await atOnce(20, () => revokeApiKey(config, key, NOW));
    expect(done).toHaveLength(1);
    expect(codes).toEqual(Array(19).fill("NOT_FOUND"));
  });

  test("keys created while the plan falls exist wholly or not at all", async () => {
    const creations = atOnce(20, () => someKey(config, shop));
    await setPlan(config, shop.workspace, "growth");
    const { done, codes } = await creations;
    expect(new Set(codes).size).toBeLessThanOrEqual(1);
    for (const code of codes) expect(code).toBe("PLAN_REQUIRED");
    const listed = await listApiKeys(config, shop.one.id);
    expect(listed.map((key) => key.id).sort()).toEqual(done.map(({ key }) => key.id).sort());
  });
});

describe("members", () => {
  test("of two changes of what one read, the second is told so", async () => {
    await updateMember(config, shop.member, { name: "First" });
    await expect(updateMember(config, shop.member, { name: "Second" })).rejects.toMatchObject({
      code: "CONFLICT",
    });
  });

  test("a removed member's e-mail is free again", async () => {
    await deleteMember(config, shop.member);
    await expect(findMemberByEmail(config, shop.member.email)).resolves.toBeNull();
    await expect(createMember(config, person(shop.member.email), NOW)).resolves.toMatchObject({
      email: shop.member.email,
    });
  });

  test("nobody joins a workspace that does not exist, as whatever role", async () => {
    for (const role of ["owner", "member"] as const) {
      const lost = { ...person(nextEmail(), role), workspace: 4_000_000 };
      await expect(createMember(config, lost, NOW)).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
});

describe("API keys", () => {
  test("a key needs a site and a member of its own workspace", async () => {
    const other = await someWorkspace(config);
    await expect(someKey(config, shop, { site: other.one.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(someKey(config, shop, { member: other.owner.member })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(someKey(config, shop, { site: 4_000_000 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(listApiKeys(config, shop.one.id)).resolves.toEqual([]);
  });

  test("nothing in the table holds a key's value", async () => {
    const { key, value } = await someKey(config, shop);
    const { Items } = await engine.dynamo.send(new ScanCommand({ TableName: config.table }));
    expect(JSON.stringify(Items)).toContain(key.preview);
    expect(JSON.stringify(Items)).not.toContain(value.slice(8, -4));
  });

  test("a revoked key cannot be renamed back to life", async () => {
    const { key } = await someKey(config, shop);
    await revokeApiKey(config, key, NOW);
    await expect(renameApiKey(config, key, "Again")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(findApiKey(config, key.site, key.id)).resolves.toBeNull();
  });
});

describe("workspaces and sites", () => {
  test("all workspaces are listed by number, with their plans", async () => {
    const { workspace } = await createWorkspace(config, { name: "Last", plan: "starter" }, NOW);
    const listed = await listWorkspaces(config);
    expect(listed.at(-1)).toEqual({ workspace, name: "Last", plan: "starter", created: NOW, owners: 0 });
    expect(listed.map((one) => one.workspace)).toEqual(Array.from({ length: workspace }, (_, i) => i + 1));
  });

  test("a plan is not set on a workspace that does not exist", async () => {
    await expect(setPlan(config, 4_000_000, "growth")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(findWorkspace(config, 4_000_000)).resolves.toBeNull();
  });

  test("more sites than one read holds are all listed", async () => {
    await Promise.all(
      Array.from({ length: 110 }, (_, i) =>
        createSite(config, { workspace: shop.workspace, domain: `n${i}.example`, name: "N" }, NOW),
      ),
    );
    const listed = await listSites(config, shop.workspace);
    expect(listed).toHaveLength(112);
    expect(listed.map((site) => site.id)).toEqual(listed.map((site) => site.id).sort((a, b) => a - b));
  });

  test("the same domain may be a site of several workspaces", async () => {
    const other = await someWorkspace(config);
    expect(other.one.domain).toBe(shop.one.domain);
    expect(other.one.id).not.toBe(shop.one.id);
  });

  test("the directory finds a site by its number alone, and nothing else", async () => {
    const directory = createSiteDirectory(engine.dynamo, config.table);
    await expect(directory.find(shop.one.id)).resolves.toMatchObject({
      id: shop.one.id,
      workspace: shop.workspace,
      domain: "one.example",
    });
    for (const id of [0, -1, 4_000_000, 1.5, Number.NaN])
      await expect(directory.find(id)).resolves.toBeNull();
  });

  test("what others keep on a site's item survives its renaming", async () => {
    const at = { TableName: config.table, Key: siteKey(shop.one.id) };
    await engine.dynamo.send(
      new UpdateCommand({
        ...at,
        UpdateExpression: "SET extra = :x",
        ExpressionAttributeValues: { ":x": 1 },
      }),
    );
    await updateSite(config, shop.one, { name: "Uno" });
    const { Item } = await engine.dynamo.send(new GetCommand(at));
    expect(Item).toMatchObject({ name: "Uno", extra: 1 });
    await expect(findSite(config, shop.one.id)).resolves.not.toHaveProperty("extra");
  });
});

describe("sessions", () => {
  test("a session is found until it expires although DynamoDB deletes it later", async () => {
    const sessions = createSessions(engine.dynamo, engine.tables.Ephemeral, random);
    const token = await sessions.create(shop.owner, NOW);
    await expect(sessions.find(token, NOW + 14 * DAY - 1)).resolves.toMatchObject({
      member: shop.owner.member,
    });
    await expect(sessions.find(token, NOW + 14 * DAY + MINUTE)).resolves.toBeNull();
  });
});
