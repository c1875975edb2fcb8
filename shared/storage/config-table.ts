import {
  BatchGetCommand,
  type BatchGetCommandOutput,
  QueryCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "./dynamo";
import { counterKey, type ItemKey } from "./keys/config";

/** The Config table, as the modules around it are given it. */
export interface ConfigTable {
  readonly dynamo: Dynamo;
  readonly table: string;
}

type Item = Record<string, unknown>;
type Action = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/** One write of a transaction, and the error that its failed condition means. */
export interface Write {
  readonly action: Action;
  readonly otherwise?: () => Error;
}

/** The next number of its kind, from 1. Never given twice; numbers of creations that failed stay unused. */
export async function nextNumber(
  { dynamo, table }: ConfigTable,
  kind: "workspace" | "member" | "site",
): Promise<number> {
  const { Attributes } = await dynamo.send(
    new UpdateCommand({
      TableName: table,
      Key: counterKey(kind),
      UpdateExpression: "ADD #last :one",
      ExpressionAttributeNames: { "#last": "last" },
      ExpressionAttributeValues: { ":one": 1 },
      ReturnValues: "UPDATED_NEW",
    }),
  );
  return Attributes?.last as number;
}

/**
 * All of the writes or none. Throws the error of the first write whose condition failed. Transactions that merely met
 * another one on the same item are tried again: the SDK does not.
 */
export async function writeTogether({ dynamo }: ConfigTable, writes: readonly Write[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await dynamo.send(new TransactWriteCommand({ TransactItems: writes.map(({ action }) => action) }));
      return;
    } catch (error) {
      const codes = cancellationCodes(error);
      const failed = codes.indexOf("ConditionalCheckFailed");
      if (failed >= 0) throw writes[failed]?.otherwise?.() ?? error;
      if (!codes.includes("TransactionConflict") || attempt === 8) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10 * 2 ** attempt));
    }
  }
}

function cancellationCodes(error: unknown): readonly string[] {
  if (!(error instanceof Error) || error.name !== "TransactionCanceledException") return [];
  const { CancellationReasons = [] } = error as { CancellationReasons?: { Code?: string }[] };
  return CancellationReasons.map((reason) => reason.Code ?? "None");
}

/** Reads items by key, consistently, at most 100; what does not exist is left out. One round trip unless throttled. */
export async function readTogether(
  { dynamo, table }: ConfigTable,
  keys: readonly ItemKey[],
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let left: readonly ItemKey[] = keys;
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === 5) throw new Error("the Config table keeps answering in part");
    const answer: BatchGetCommandOutput = await dynamo.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: [...left], ConsistentRead: true } } }),
    );
    found.push(...(answer.Responses?.[table] ?? []));
    left = (answer.UnprocessedKeys?.[table]?.Keys ?? []) as ItemKey[];
  }
  return found;
}

/** Every item of a partition whose sort key begins with `prefix`, in its order, read consistently. */
export async function queryAll(
  { dynamo, table }: ConfigTable,
  pk: string,
  prefix: string,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let from: Item | undefined;
  do {
    const page = await dynamo.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
        ConsistentRead: true,
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
    );
    found.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return found;
}
