import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import type { ConfigTable } from "../../shared/storage/access/config-table";
import { createDynamo } from "../../shared/storage/dynamo";
import { type TableId, tableEnv } from "../../shared/storage/tables";

/** Where a command works. */
export interface Target extends ConfigTable {
  /** For people. */
  readonly where: string;
  /** The physical name of any table. Throws an Error that says what to do when it is not known. */
  tableOf(id: TableId): string;
}

/** What the local run leaves in its data directory while it runs. */
const endpointFile = z.object({
  dynamodb: z.url(),
  tables: z.object({ Config: z.string() }).catchall(z.string()),
});

/**
 * The deployed stack when `CONFIG_TABLE` names its table (region and credentials as for every AWS tool; other tables
 * likewise, where a command needs them), else the local run, found by the file it leaves in `LOCAL_DATA_DIR` (`.local`).
 * Throws an Error that says what to do when neither.
 */
export function findTarget(env: NodeJS.ProcessEnv): Target {
  if (env.CONFIG_TABLE) {
    return {
      dynamo: createDynamo(),
      table: env.CONFIG_TABLE,
      where: `table ${env.CONFIG_TABLE} on AWS`,
      tableOf: (id) =>
        known(
          env[tableEnv(id)],
          `This needs ${tableEnv(id)} too: set it to the stack's output ${id}TableName.`,
        ),
    };
  }
  const path = join(env.LOCAL_DATA_DIR ?? ".local", "endpoint.json");
  if (!existsSync(path)) {
    throw new Error(
      `There is no local run (no ${path}). Start it with npm start, or set CONFIG_TABLE to the Config table of a deployed stack.`,
    );
  }
  const { dynamodb, tables } = endpointFile.parse(JSON.parse(readFileSync(path, "utf8")));
  const dynamo = createDynamo({
    endpoint: dynamodb,
    region: env.AWS_REGION ?? "eu-west-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    maxAttempts: 2,
  });
  return {
    dynamo,
    table: tables.Config,
    where: `the local run at ${dynamodb}`,
    tableOf: (id) => known(tables[id], `${path} names no table ${id}. Start the local run again.`),
  };
}

function known(name: string | undefined, otherwise: string): string {
  if (!name) throw new Error(otherwise);
  return name;
}
