import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { seedService } from "../../infra/local/demo-file";
import { engineClientConfig } from "../../infra/local/engine/engine";
import { LocalFailure } from "../../infra/local/failure";
import { listen } from "../../infra/local/listen";
import { seed } from "../../infra/local/seed";
import { type LocalOptions, startLocal } from "../../infra/local/service";
import { readSettings } from "../../infra/local/settings";
import { verifyPassword } from "../../shared/domain/access/password";
import { findMemberByEmail } from "../../shared/storage/access/members";
import { listSites } from "../../shared/storage/access/sites";
import { listWorkspaces } from "../../shared/storage/access/workspaces";
import { startEngine } from "../support/engine";
import { memorySecretBox } from "../support/secret-box";
import { synthesiseFixture } from "./fixture/stack";

let fixture: ReturnType<typeof synthesiseFixture>;
let dataDir: string;
beforeAll(() => {
  fixture = synthesiseFixture();
});
afterAll(() => fixture.remove());
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const start = (options: LocalOptions = {}) =>
  startLocal({ templateFile: fixture.templateFile, dataDir, ...options });

/** Why it does not start: one line for a person. */
async function refusal(options: LocalOptions): Promise<string> {
  const failure = await start(options).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(LocalFailure);
  const { message } = failure as LocalFailure;
  expect(message).not.toContain("\n");
  return message;
}

test("a killed run loses nothing that reached the database, and can be started again at once", async () => {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "test/local/fixture/run.ts", fixture.templateFile, dataDir],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [line] = await once(child.stdout, "data");
  const killed = JSON.parse(String(line)) as { port: number; dynamoUrl: string };
  const { tables } = JSON.parse(readFileSync(join(dataDir, "endpoint.json"), "utf8"));
  expect(tables).toEqual({});
  const TableName = tableOf("Forbidden");
  const Item = { pk: { S: "kept" } };
  await new DynamoDBClient(engineClientConfig(killed.dynamoUrl)).send(
    new PutItemCommand({ TableName, Item }),
  );
  child.kill("SIGKILL");
  await once(child, "exit");

  const again = await start({ port: killed.port });
  const client = new DynamoDBClient(engineClientConfig(again.dynamoUrl));
  const found = await client.send(new GetItemCommand({ TableName, Key: Item }));
  client.destroy();
  await again.close();
  expect(found.Item).toEqual(Item);
  await expect(fetch(killed.dynamoUrl)).rejects.toThrow("fetch failed");
}, 60_000);

test("a taken port is one clear line", async () => {
  const other = await listen(createServer(), 0);
  const message = await refusal({ port: other.port });
  await other.close();
  expect(message).toBe(
    `Port ${other.port} is taken. Stop what uses it, or start with another: PORT=${other.port + 1} npm start`,
  );
});

test("a second run on the same data is one clear line, and does not disturb the first", async () => {
  const first = await start();
  expect(await refusal({})).toMatch(/^Another local run uses .*\. Stop it, or start this one with another: /);
  await expect(fetch(`${first.baseUrl}/`).then((answer) => answer.status)).resolves.toBe(200);
  await first.close();
  await (await start()).close();
});

test("a broken database is one clear line", async () => {
  writeFileSync(join(dataDir, "dynamo.db"), "not a database");
  expect(await refusal({})).toMatch(
    /^The database .*dynamo\.db cannot be opened \(it is not a SQLite database\)\./,
  );
});

test("a missing template is one clear line", async () => {
  expect(await refusal({ templateFile: "nowhere.template.json" })).toMatch(/Run `npm run synth` first/);
});

test("a run that could not start leaves nothing behind", async () => {
  mkdirSync(join(dataDir, "dynamo.db")); // a directory where the database should be
  expect(await refusal({})).toMatch(/it is not a file/);
  rmSync(join(dataDir, "dynamo.db"), { recursive: true });
  await (await start()).close();
});

test("closing ends what was started", async () => {
  const service = await start();
  await service.close();
  for (const url of [service.baseUrl, service.awsUrl, service.dynamoUrl]) {
    await expect(fetch(url)).rejects.toThrow("fetch failed");
  }
});

test("what functions write is kept in a file each, and errors are told", async () => {
  const lines: string[] = [];
  const service = await start({ report: (line) => lines.push(line) });
  await service.invoke(functionOf("Trouble"), { wanted: "throw" });
  await service.invoke(functionOf("Caller"), { service: "dynamodb", command: "Nonsense" });
  await service.close();
  expect(lines).toContain(`${functionOf("Trouble")}: TypeError: as asked`);
  expect(existsSync(join(dataDir, "logs"))).toBe(true);
});

test("what the seed made is kept for tools, its secrets for the owner alone, and follows the port", async () => {
  const engine = await startEngine();
  const seedAt = (baseUrl: string) =>
    seedService(
      { baseUrl, dynamoUrl: engine.endpoint, tables: engine.tables, secrets: memorySecretBox() },
      { dataDir, demo: false, progress: () => {} },
    );
  const first = await seedAt("http://localhost:1111");
  const second = await seedAt("http://localhost:2222");
  await engine.close();
  expect(second).toEqual({
    ...first,
    base_url: "http://localhost:2222",
    receive_url: "http://localhost:2222",
  });
  expect(JSON.parse(readFileSync(join(dataDir, "demo.json"), "utf8"))).toEqual(second);
  expect(statSync(join(dataDir, "demo.json")).mode & 0o777).toBe(0o600);
});

test("a seeding asked to end does so between two days, and the next goes on there", async () => {
  const engine = await startEngine();
  const service = {
    baseUrl: "http://localhost:1",
    dynamoUrl: engine.endpoint,
    tables: engine.tables,
    secrets: memorySecretBox(),
  };
  const days = () => JSON.parse(readFileSync(join(dataDir, "story.json"), "utf8")).days;
  for (const day of [1, 2]) {
    const ending = new AbortController();
    const progress = jest.fn(() => ending.abort());
    await seedService(service, { dataDir, demo: true, progress, signal: ending.signal });
    expect(progress).toHaveBeenCalledTimes(1);
    expect(days()).toBe(day);
  }
  await engine.close();
});

test("a seeding cut short is gone on with: one workspace, one site, secrets that hold", async () => {
  const engine = await startEngine();
  const seedAnew = () =>
    seed({ baseUrl: "http://localhost:1", ...engine, secrets: memorySecretBox(), demo: true });
  const config = { dynamo: engine.dynamo, table: engine.tables.Config };
  await seedAnew(); // killed before anything of it was written to a file
  const demo = await seedAnew();
  const owner = await findMemberByEmail(config, demo.dashboard.email);
  const workspaces = await listWorkspaces(config);
  const sites = await listSites(config, demo.workspace_id);
  await engine.close();
  expect(workspaces).toMatchObject([{ workspace: demo.workspace_id, owners: 1 }]);
  expect(sites).toMatchObject([{ id: demo.sites[0]?.site_id }]);
  await expect(verifyPassword(demo.dashboard.password, owner?.passwordHash ?? "")).resolves.toBe(true);
});

test.each([
  [{ PORT: "high" }, /^The setting PORT must be a port number\.$/],
  [{ PORT: "70000" }, /^The setting PORT must be a port number\.$/],
  [{ LOCAL_DEMO: "yes" }, /^The setting LOCAL_DEMO must be 0 or 1\.$/],
  [{ SWEEP_SECONDS: "0" }, /^The setting SWEEP_SECONDS must be above 0\.$/],
  [{ LOCAL_DYNAMODB_ENDPOINT: "there" }, /^The setting LOCAL_DYNAMODB_ENDPOINT must be a URL\.$/],
])("a wrong setting is named: %j", (env, said) => expect(() => readSettings(env)).toThrow(said));

test("settings have the documented defaults, and only those meant for functions are passed on", () => {
  expect(readSettings({ HOME: "/x", SWEEP_SECONDS: "2", LINK_LOOKUP_SECONDS: "5" })).toEqual({
    port: 8787,
    dataDir: join(process.cwd(), ".local"),
    demo: true,
    sweepMs: 2000,
    passedOn: { SWEEP_SECONDS: "2", LINK_LOOKUP_SECONDS: "5" },
  });
});

const resources = () => Object.keys(JSON.parse(readFileSync(fixture.templateFile, "utf8")).Resources);
const named = (id: string) => resources().find((name) => new RegExp(`^${id}[0-9A-F]{8}$`).test(name)) ?? "";
const tableOf = named;
const functionOf = named;
