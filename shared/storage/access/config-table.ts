import { BatchGetCommand, type BatchGetCommandOutput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "../dynamo";
import { queryAll } from "../query";
import { type TransactItem, transact } from "../transact";
import { counterKey, type ItemKey } from "./config-keys";

/** The Config table, as the modules around it are given it. */
export interface ConfigTable {
  readonly dynamo: Dynamo;
  readonly table: string;
}

type Item = Record<string, unknown>;

/** One write of a transaction, and the error that its failed condition means. */
export interface Write {
  readonly action: TransactItem;
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

/** All of the writes or none. Throws the error of the first write whose condition failed. */
export async function writeTogether({ dynamo }: ConfigTable, writes: readonly Write[]): Promise<void> {
  try {
    await transact(
      dynamo,
      writes.map(({ action }) => action),
    );
  } catch (error) {
    const { CancellationReasons: reasons = [] } = error as { CancellationReasons?: { Code?: string }[] };
    const failed = reasons.findIndex((reason) => reason.Code === "ConditionalCheckFailed");
    throw writes[failed]?.otherwise?.() ?? error;
  }
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
export const listItems = ({ dynamo, table }: ConfigTable, pk: string, prefix: string): Promise<Item[]> =>
  queryAll(dynamo, {
    TableName: table,
    KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
    ExpressionAttributeValues: { ":pk": pk, ":prefix": prefix },
    ConsistentRead: true,
  });
