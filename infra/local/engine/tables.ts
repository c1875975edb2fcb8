import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DescribeTableCommand,
  type DynamoDBClient,
  type GlobalSecondaryIndex,
  ResourceNotFoundException,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from "@aws-sdk/client-dynamodb";
import { LocalFailure } from "../failure";
import type { IndexModel, KeyModel, TableModel } from "../template/model";

/**
 * Makes the tables exist as described: creates what is missing, adds indexes that came later. What is there is never
 * changed otherwise.
 * @throws LocalFailure for a table whose keys are others than described
 */
export async function ensureTables(client: DynamoDBClient, tables: readonly TableModel[]): Promise<void> {
  await Promise.all(tables.map((table) => ensureTable(client, table)));
}

async function ensureTable(client: DynamoDBClient, table: TableModel): Promise<void> {
  const existing = await describe(client, table.name);
  if (!existing) {
    await client.send(new CreateTableCommand(creation(table)));
    if (table.ttlAttribute !== undefined) {
      await client.send(
        new UpdateTimeToLiveCommand({
          TableName: table.name,
          TimeToLiveSpecification: { AttributeName: table.ttlAttribute, Enabled: true },
        }),
      );
    }
    return;
  }
  const keys = existing.KeySchema?.map((key) => key.AttributeName).join();
  if (
    keys !==
    keySchema(table.key)
      .map((key) => key.AttributeName)
      .join()
  ) {
    throw new LocalFailure(
      `The table ${table.name} in the database has other keys (${keys}) than the template. Delete the data directory and start again.`,
    );
  }
  const present = new Set(existing.GlobalSecondaryIndexes?.map((index) => index.IndexName));
  for (const index of table.indexes.filter(({ name }) => !present.has(name))) {
    await client.send(
      new UpdateTableCommand({
        TableName: table.name,
        AttributeDefinitions: attributeDefinitions({ ...table, indexes: [index] }),
        GlobalSecondaryIndexUpdates: [{ Create: indexCreation(index) }],
      }),
    );
  }
}

async function describe(client: DynamoDBClient, name: string) {
  try {
    return (await client.send(new DescribeTableCommand({ TableName: name }))).Table;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

function creation(table: TableModel): CreateTableCommandInput {
  return {
    TableName: table.name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keySchema(table.key),
    AttributeDefinitions: attributeDefinitions(table),
    ...(table.indexes.length > 0 ? { GlobalSecondaryIndexes: table.indexes.map(indexCreation) } : {}),
  };
}

const keySchema = ({ partition, sort }: KeyModel) => [
  { AttributeName: partition, KeyType: "HASH" as const },
  ...(sort === undefined ? [] : [{ AttributeName: sort, KeyType: "RANGE" as const }]),
];

const indexCreation = (index: IndexModel): GlobalSecondaryIndex => ({
  IndexName: index.name,
  KeySchema: keySchema(index.key),
  Projection: {
    ProjectionType: index.projection,
    ...(index.include ? { NonKeyAttributes: [...index.include] } : {}),
  },
});

/** The engine wants definitions of exactly the attributes that are part of a key. */
function attributeDefinitions(table: Pick<TableModel, "key" | "indexes" | "attributes">) {
  const used = new Set(
    [table.key, ...table.indexes.map((index) => index.key)].flatMap((key) => [key.partition, key.sort]),
  );
  return Object.entries(table.attributes)
    .filter(([name]) => used.has(name))
    .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}
