import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { engineClientConfig, startDynamo } from "../../infra/local/engine/engine";
import { ensureTables } from "../../infra/local/engine/tables";
import type { TableModel } from "../../infra/local/template/model";
import { createDynamo, type Dynamo } from "../../shared/storage/dynamo";
import { DUE_INDEX, TABLES, type TableId, type TableSpec } from "../../shared/storage/tables";

/** A real DynamoDB engine with the product's tables, alone to one test file. Close it when done. */
export interface Engine {
  readonly endpoint: string;
  readonly dynamo: Dynamo;
  readonly tables: Record<TableId, string>;
  close(): Promise<void>;
}

/**
 * Starts the engine on a free port (in memory, or on `file`) and creates the tables it lacks. `TEST_ENGINE=amazon` takes
 * Amazon's DynamoDB Local instead of the default one: the storage tests pass on both.
 */
export async function startEngine(options: { file?: string } = {}): Promise<Engine> {
  const kind = process.env.TEST_ENGINE === "amazon" ? "amazon" : "dynoxide";
  const engine = await startDynamo({ ...options, kind });
  const config = engineClientConfig(engine.endpoint);
  const client = new DynamoDBClient(config);
  const names = Object.keys(TABLES) as TableId[];
  await ensureTables(
    client,
    names.map((name) => tableModel(name, TABLES[name])),
  );
  client.destroy();
  // A slow engine is no hung one: Amazon's, just started, takes seconds for hundreds of requests at once.
  const dynamo = createDynamo({ ...config, requestHandler: { socketTimeout: 60_000 } });
  return {
    endpoint: engine.endpoint,
    dynamo,
    tables: Object.fromEntries(names.map((name) => [name, name])) as Record<TableId, string>,
    async close() {
      dynamo.destroy();
      await engine.close();
    },
  };
}

function tableModel(name: TableId, spec: TableSpec): TableModel {
  return {
    logicalId: name,
    name,
    key: { partition: "pk", sort: "sk" },
    attributes: { pk: "S", sk: "S", due_pk: "S", due_at: "N" },
    indexes: spec.dueIndex
      ? [{ name: DUE_INDEX, key: { partition: "due_pk", sort: "due_at" }, projection: "KEYS_ONLY" }]
      : [],
    ...(spec.ttl ? { ttlAttribute: "ttl" } : {}),
  };
}
