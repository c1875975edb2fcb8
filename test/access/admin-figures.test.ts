import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { COMMANDS } from "../../infra/admin/commands";
import { differencesIn } from "../../infra/admin/differences";
import { findTarget } from "../../infra/admin/target";
import { bucketAt } from "../../shared/domain/analytics/bucket";
import { pack } from "../../shared/domain/analytics/codec";
import { DAY } from "../../shared/domain/instant";
import { headKey } from "../../shared/storage/analytics/cube-keys";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { random, someWorkspace } from "./support";

const FIRST = Date.UTC(2026, 8, 30, 10);
const NOW = FIRST + 40 * DAY;

let engine: Engine;
let directory: string;
beforeAll(async () => {
  engine = await startEngine();
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

/** A site of two days' facts, sealed. */
async function sealedSite(): Promise<number> {
  const { one } = await someWorkspace({ dynamo: engine.dynamo, table: engine.tables.Config });
  const core = analyticsOver(engine, engine.dynamo, () => NOW);
  const context = { visitor: 1, source: "google", channel: "Paid Search", country: "DE" };
  await core.log.append(
    one.id,
    [FIRST, FIRST + DAY].map((at, n) => ({
      ...{ kind: "pageview", id: `p${n}`, visit: `v${n}`, at, path: "/" },
      ...context,
    })),
  );
  await core.sealAll(one.id);
  return one.id;
}

const loseCube = (site: number) =>
  engine.dynamo.send(
    new DeleteCommand({
      TableName: engine.tables.Cubes,
      Key: headKey(site, "traffic", bucketAt("day", FIRST)),
    }),
  );

async function run(name: "rebuild" | "verify", site: number) {
  const said: string[] = [];
  const answer = await COMMANDS[name]?.run(
    { site: String(site) },
    {
      config: { dynamo: engine.dynamo, table: engine.tables.Config },
      tableOf: (id) => engine.tables[id],
      now: NOW,
      clock: () => NOW,
      random,
      hashPassword: async () => "",
      choosePassword: async () => ({ password: "" }),
      say: (line) => said.push(line),
    },
  );
  return { answer, said };
}

test("a lost cube is bad news with the day it is of, and a rebuild, told day by day, puts it right", async () => {
  const site = await sealedSite();
  await expect(run("verify", site)).resolves.toMatchObject({ answer: { site, differences: [] } });
  await loseCube(site);
  await expect(run("verify", site)).rejects.toMatchObject({
    message: expect.stringContaining(`npm run admin -- rebuild --site ${site}`),
    answer: {
      differences: expect.arrayContaining([
        { facet: "traffic", bucket: "2026-09-30", figures: expect.arrayContaining([expect.any(String)]) },
      ]),
    },
  });
  await expect(run("rebuild", site)).resolves.toEqual({
    answer: { site, days: 2 },
    said: ["2026-09-30  rebuilt", "2026-10-01  rebuilt"],
  });
  await expect(run("verify", site)).resolves.toMatchObject({
    answer: { site, differences: [] },
    said: ["2026-09  compared", "2026-10  compared"],
  });
});

test("a site that does not exist is said so", async () => {
  await expect(run("rebuild", 987_654)).rejects.toThrow("There is no site 987654.");
  await expect(run("verify", 987_654)).rejects.toThrow("There is no site 987654.");
});

test("on AWS the tables' names come from the environment, and a missing one is named", () => {
  const { tableOf } = findTarget({ CONFIG_TABLE: "stack-Config", FACTS_TABLE: "stack-Facts" });
  expect(tableOf("Facts")).toBe("stack-Facts");
  expect(() => tableOf("Cubes")).toThrow("CUBES_TABLE");
});

test("a difference is told by the figure it is in", () => {
  const before = pack({ rows: { values: [[3], [7]] }, visitors: Uint8Array.of(1) });
  const after = pack({ rows: { values: [[3], [8]] }, visitors: Uint8Array.of(2) });
  expect(differencesIn(before, after)).toEqual([
    "rows.values.1.0: 7 by the facts, 8 served",
    expect.stringMatching(
      /^visitors: a set of 1 bytes \(\w+\) by the facts, a set of 1 bytes \(\w+\) served$/,
    ),
  ]);
  expect(differencesIn(null, pack({ n: 1 }))).toEqual(["n: nothing by the facts, 1 served"]);
  expect(differencesIn(before, before)).toEqual([]);
});

test("the command line ends with 1 when the figures differ, its answer on standard output all the same", async () => {
  const site = await sealedSite();
  await loseCube(site);
  const { code, out, err } = await cli("verify", site);
  expect({ code, answer: JSON.parse(out) }).toMatchObject({
    code: 1,
    answer: { differences: [{ bucket: "2026-09-30" }] },
  });
  expect(err).toContain("The figures differ from the facts.");
  await expect(cli("rebuild", site)).resolves.toMatchObject({
    code: 0,
    err: expect.stringContaining("rebuilt"),
  });
  await expect(cli("verify", site)).resolves.toMatchObject({ code: 0 });
});

function cli(command: string, site: number) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(
      "node_modules/.bin/tsx",
      ["infra/admin/cli.ts", command, "--site", String(site)],
      { env: { PATH: process.env.PATH, LOCAL_DATA_DIR: directory } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
