import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import {
  CreateTableCommand,
  DynamoDBClient,
  ListTablesCommand,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import { createDynamo, type Dynamo } from "../../shared/storage/dynamo";
import { DUE_INDEX, TABLES, type TableId, type TableSpec } from "../../shared/storage/tables";

/** A real DynamoDB engine with the product's tables, alone to one test file. Close it when done. */
export interface Engine {
  readonly endpoint: string;
  readonly dynamo: Dynamo;
  readonly tables: Record<TableId, string>;
  close(): Promise<void>;
}

/** Starts the engine on a free port (in memory, or on `file`) and creates the tables it lacks. */
export async function startEngine({ file }: { file?: string } = {}): Promise<Engine> {
  const port = await freePort();
  const binary = "node_modules/@dynoxide/linux-x64/dynoxide";
  const child: ChildProcess = spawn(binary, ["--port", String(port), ...(file ? ["--db-path", file] : [])], {
    stdio: "ignore",
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const config = {
    endpoint,
    region: "eu-west-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const client = new DynamoDBClient(config);
  await untilReady(client);
  const names = Object.keys(TABLES) as TableId[];
  await Promise.all(
    names.map(async (name) => {
      try {
        await client.send(createTable(name, TABLES[name]));
      } catch (error) {
        if (!(error instanceof ResourceInUseException)) throw error;
      }
    }),
  );
  const dynamo = createDynamo(config);
  return {
    endpoint,
    dynamo,
    tables: Object.fromEntries(names.map((name) => [name, name])) as Record<TableId, string>,
    async close() {
      dynamo.destroy();
      client.destroy();
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    },
  };
}

function createTable(name: string, spec: TableSpec): CreateTableCommand {
  return new CreateTableCommand({
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: [
      { AttributeName: "pk", KeyType: "HASH" },
      { AttributeName: "sk", KeyType: "RANGE" },
    ],
    AttributeDefinitions: [
      { AttributeName: "pk", AttributeType: "S" },
      { AttributeName: "sk", AttributeType: "S" },
      ...(spec.dueIndex
        ? ([
            { AttributeName: "due_pk", AttributeType: "S" },
            { AttributeName: "due_at", AttributeType: "N" },
          ] as const)
        : []),
    ],
    ...(spec.dueIndex
      ? {
          GlobalSecondaryIndexes: [
            {
              IndexName: DUE_INDEX,
              KeySchema: [
                { AttributeName: "due_pk", KeyType: "HASH" as const },
                { AttributeName: "due_at", KeyType: "RANGE" as const },
              ],
              Projection: { ProjectionType: "KEYS_ONLY" as const },
            },
          ],
        }
      : {}),
  });
}

async function untilReady(client: DynamoDBClient): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await client.send(new ListTablesCommand({}));
      return;
    } catch (error) {
      if (attempt > 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
