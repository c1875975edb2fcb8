import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMMANDS } from "../../infra/admin/commands";
import { findTarget } from "../../infra/admin/target";
import { parseApiKey } from "../../shared/domain/access/api-key";
import { hashPassword, verifyPassword } from "../../shared/domain/access/password";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { findStanding } from "../../shared/storage/access/credentials";
import { findMemberByEmail } from "../../shared/storage/access/members";
import { type Engine, startEngine } from "../support/engine";
import { CHEAP, NOW, nextEmail, PASSWORD, random, someWorkspace } from "./support";

let engine: Engine;
let config: ConfigTable;
let directory: string;

beforeAll(async () => {
  engine = await startEngine();
  config = { dynamo: engine.dynamo, table: engine.tables.Config };
  directory = await mkdtemp(join(tmpdir(), "admin-"));
  await writeFile(
    join(directory, "endpoint.json"),
    JSON.stringify({ dynamodb: engine.endpoint, tables: engine.tables }),
  );
});
afterAll(async () => {
  await engine.close();
  await rm(directory, { recursive: true });
});

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape is what they test
const run = (name: string, options: Record<string, unknown> = {}): Promise<any> =>
  COMMANDS[name]?.run(options, {
    config,
    tableOf: (id) => engine.tables[id],
    now: NOW,
    clock: () => NOW,
    random,
    hashPassword: (password) => hashPassword(password, random, CHEAP),
    choosePassword: async (fromStdin) =>
      fromStdin ? { password: PASSWORD } : { password: "made up here", generated: "made up here" },
    say: () => {},
  }) ?? Promise.reject(new Error(`no command ${name}`));

/** The real command line, against the engine as the local run would leave it. */
function cli(
  args: readonly string[],
  input = "",
  env: Record<string, string> = { LOCAL_DATA_DIR: directory },
) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const child = execFile(
      "node_modules/.bin/tsx",
      ["infra/admin/cli.ts", ...args],
      { env: { PATH: process.env.PATH, ...env } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
    child.stdin?.end(input);
  });
}

test("the first workspace, owner, site and key can be made, and the key is good", async () => {
  const { id: workspace } = await run("create-workspace", { name: "Shop", plan: "unlimited" });
  const email = nextEmail();
  const owner = await run("create-member", { workspace: String(workspace), email, name: "Olga" });
  expect(owner).toMatchObject({ role: "owner", sites: "all", password: "made up here" });
  const site = await run("create-site", { workspace: String(workspace), domain: "www.first.example" });
  expect(site).toMatchObject({ domain: "first.example", name: "first.example" });
  const { value } = await run("create-key", { site: String(site.id), email, name: "First" });
  const claims = parseApiKey(value);
  expect(claims).toEqual({ workspace, member: owner.id });
  await expect(claims && findStanding(config, value, claims)).resolves.toMatchObject({ plan: "unlimited" });
  await expect(run("list-keys", { site: String(site.id) })).resolves.toEqual([
    expect.not.objectContaining({ value }),
  ]);
});

test("lists show what there is, without secrets", async () => {
  const shop = await someWorkspace(config);
  const workspace = String(shop.workspace);
  await expect(run("list-workspaces")).resolves.toContainEqual(
    expect.objectContaining({ id: shop.workspace }),
  );
  await expect(run("list-sites", { workspace })).resolves.toHaveLength(2);
  const members = await run("list-members", { workspace });
  expect(members).toHaveLength(2);
  expect(JSON.stringify(members)).not.toMatch(/scrypt/);
});

test("a key can be revoked, a plan set, a password replaced", async () => {
  const shop = await someWorkspace(config);
  const site = String(shop.one.id);
  const { id, value } = await run("create-key", { site, email: shop.owner.email, name: "K" });
  await run("revoke-key", { site, key: id });
  const claims = parseApiKey(value);
  await expect(claims && findStanding(config, value, claims)).resolves.toBeNull();
  await run("set-plan", { workspace: String(shop.workspace), plan: "growth" });
  await expect(run("create-key", { site, email: shop.owner.email, name: "K" })).rejects.toMatchObject({
    code: "PLAN_REQUIRED",
  });
  await run("set-password", { email: shop.owner.email });
  const member = await findMemberByEmail(config, shop.owner.email);
  await expect(verifyPassword("made up here", member?.passwordHash ?? "")).resolves.toBe(true);
});

test("a site's AI-access key is made, replaced and revoked, and is none of the API keys", async () => {
  const shop = await someWorkspace(config);
  const site = String(shop.one.id);
  const standing = async (key: string) => {
    const claims = parseApiKey(key);
    return claims && findStanding(config, key, claims);
  };
  const first = await run("create-ai-access", { site, email: shop.owner.email });
  await expect(standing(first.value)).resolves.toMatchObject({ kind: "mcp", keyId: first.id });
  const second = await run("create-ai-access", { site, email: shop.owner.email });
  await expect(standing(first.value)).resolves.toBeNull();
  await expect(run("list-keys", { site })).resolves.toEqual([]);
  await expect(
    run("create-key", { site, email: shop.owner.email, name: "K", kind: "mcp" }),
  ).rejects.toThrow();
  await run("revoke-ai-access", { site });
  await expect(standing(second.value)).resolves.toBeNull();
  await expect(run("revoke-ai-access", { site })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("wrong options are refused by name", async () => {
  for (const [name, options, text] of [
    ["create-workspace", {}, "is required"],
    ["create-site", { workspace: "x", domain: "a.example" }, "must be a whole number"],
    ["create-site", { workspace: "1", domain: "?" }, "must be a domain"],
    ["create-member", { workspace: "1", email: "x", name: "X" }, "must be an e-mail"],
    ["set-plan", { workspace: "1", plan: "gold" }, "Invalid option"],
  ] as const) {
    await expect(run(name, options)).rejects.toThrow(text);
  }
});

test("on AWS the table's name comes from the environment, before any local run", () => {
  expect(findTarget({ CONFIG_TABLE: "stack-Config", LOCAL_DATA_DIR: directory })).toMatchObject({
    table: "stack-Config",
    where: expect.stringContaining("AWS"),
  });
});

describe("the command line", () => {
  test("answers JSON on standard output, and takes the password from standard input", async () => {
    const shop = await someWorkspace(config);
    const email = nextEmail();
    const args = ["create-member", "--workspace", String(shop.workspace), "--email", email, "--name", "Pia"];
    const { code, out, err } = await cli([...args, "--password-stdin"], "a password from a pipe\n");
    expect({ code, answer: JSON.parse(out) }).toMatchObject({ code: 0, answer: { email } });
    expect(out + err).not.toContain("a password from a pipe");
    const member = await findMemberByEmail(config, email);
    await expect(verifyPassword("a password from a pipe", member?.passwordHash ?? "")).resolves.toBe(true);
  });

  test("generates a password when nobody is there to ask, and shows it once", async () => {
    const shop = await someWorkspace(config);
    const { out } = await cli(["set-password", "--email", shop.owner.email]);
    const member = await findMemberByEmail(config, shop.owner.email);
    await expect(verifyPassword(JSON.parse(out).password, member?.passwordHash ?? "")).resolves.toBe(true);
  });

  test("says in a line what is wrong", async () => {
    const [command, option, missing, absent] = await Promise.all([
      cli(["frobnicate"]),
      cli(["create-site", "--workspaces", "1"]),
      cli(["create-site", "--domain", "x.example"]),
      cli(["list-workspaces"], "", { LOCAL_DATA_DIR: join(directory, "nowhere") }),
    ]);
    expect(command).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("There is no command frobnicate"),
    });
    expect(option).toMatchObject({ code: 1, err: expect.stringContaining("'--workspaces'") });
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("--workspace: is required") });
    expect(absent).toMatchObject({ code: 1, err: expect.stringContaining("npm start") });
    for (const { err } of [command, option, missing, absent]) expect(err).not.toMatch(/^\s+at /m);
  });

  test("a local run that is down is said so", async () => {
    const down = await mkdtemp(join(tmpdir(), "admin-"));
    const endpoint = { dynamodb: "http://127.0.0.1:1", tables: { Config: "Config" } };
    await writeFile(join(down, "endpoint.json"), JSON.stringify(endpoint));
    const { code, err } = await cli(["list-workspaces"], "", { LOCAL_DATA_DIR: down });
    await rm(down, { recursive: true });
    expect(code).toBe(1);
    expect(err).toContain("Is the local run up");
  });
});
