import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { brokenEngine, engineClientConfig, startDynamo } from "../../infra/local/engine/engine";
import { supervise } from "../../infra/local/engine/supervise";
import { ensureTables } from "../../infra/local/engine/tables";
import { LocalFailure } from "../../infra/local/failure";
import type { TableModel } from "../../infra/local/template/model";

const table: TableModel = {
  logicalId: "Things",
  name: "Things",
  key: { partition: "pk", sort: "sk" },
  attributes: { pk: "S", sk: "S", due_pk: "S", due_at: "N" },
  indexes: [],
  ttlAttribute: "ttl",
};
const item = { pk: { S: "a" }, sk: { S: "b" } };

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "engine-"));
});
afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const clientOf = (endpoint: string) => new DynamoDBClient(engineClientConfig(endpoint));

test("data of one run is there in the next", async () => {
  const first = await startDynamo({ file: join(dataDir, "dynamo.db") });
  await ensureTables(clientOf(first.endpoint), [table]);
  await clientOf(first.endpoint).send(new PutItemCommand({ TableName: "Things", Item: item }));
  await first.close();

  const second = await startDynamo({ file: join(dataDir, "dynamo.db") });
  await ensureTables(clientOf(second.endpoint), [table]);
  const found = await clientOf(second.endpoint).send(new GetItemCommand({ TableName: "Things", Key: item }));
  await second.close();
  expect(found.Item).toEqual(item);
});

test("an index the template gained later is added to the table that exists, with the items in it", async () => {
  const engine = await startDynamo();
  const client = clientOf(engine.endpoint);
  await ensureTables(client, [table]);
  const due = { key: { partition: "due_pk", sort: "due_at" }, name: "due", projection: "KEYS_ONLY" } as const;
  await ensureTables(client, [{ ...table, indexes: [due] }]);
  const described = await client.send(new DescribeTableCommand({ TableName: "Things" }));
  await engine.close();
  expect(described.Table?.GlobalSecondaryIndexes?.map((index) => index.IndexName)).toEqual(["due"]);
});

test("a table with other keys than the template's is said, not used", async () => {
  const engine = await startDynamo();
  const client = clientOf(engine.endpoint);
  await ensureTables(client, [table]);
  await expect(ensureTables(client, [{ ...table, key: { partition: "sk" } }])).rejects.toThrow(
    /other keys \(pk,sk\) than the template/,
  );
  await engine.close();
});

test.each([
  ["no database at all", (file: string) => writeFileSync(file, "hello, I am a text file".repeat(100))],
  ["cut off in the middle", (file: string) => truncateSync(file, statSync(file).size / 2)],
])("a broken database file (%s) is said in one line with what to do", async (_, breakIt) => {
  const engine = await startDynamo({ file: join(dataDir, "dynamo.db") });
  await ensureTables(clientOf(engine.endpoint), [table]);
  await engine.close();
  breakIt(join(dataDir, "dynamo.db"));

  const failure = await startDynamo({ file: join(dataDir, "dynamo.db") }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(LocalFailure);
  expect((failure as Error).message).toMatch(
    /^The database .*dynamo\.db cannot be opened \(.+\)\. Move or delete it.*$/,
  );
});

test("a machine without Java is told so", () => {
  expect(brokenEngine("sh: 1: java: not found", undefined).message).toMatch(/needs Java 17/);
});

test("a supervised program dies with a parent that was killed without a chance to clean up", async () => {
  // The parent is a process of its own: it starts a long sleep under the watcher, says its pid, and is killed.
  const script = `
    const { supervise } = require("./supervised.cjs");
    const child = supervise("sh", ["-c", "echo $$; exec sleep 300"]);
    const timer = setInterval(() => { const pid = child.output().trim(); if (pid) { console.log(pid); clearInterval(timer); } }, 5);
    setInterval(() => {}, 1000);`;
  execFileSync("node_modules/.bin/esbuild", [
    "infra/local/engine/supervise.ts",
    "--bundle",
    "--platform=node",
    "--format=cjs",
    `--outfile=${join(dataDir, "supervised.cjs")}`,
    "--log-level=error",
  ]);
  const parent = spawn(process.execPath, ["-e", script], {
    cwd: dataDir,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const pid = await new Promise<number>((resolve) =>
    parent.stdout.once("data", (text) => resolve(Number(text))),
  );
  expect(alive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await eventually(() => !alive(pid));
});

test("stopping a supervised program ends it", async () => {
  const child = supervise("sleep", ["300"]);
  await child.stop();
  await expect(child.ended).resolves.not.toBe(0);
});

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((wake) => setTimeout(wake, 5));
}
