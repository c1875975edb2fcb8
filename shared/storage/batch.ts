import { BatchWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "./dynamo";
import { chunks } from "./transact";

const BATCH = 25;
const AT_ONCE = 4;

type Request =
  | { PutRequest: { Item: Record<string, unknown> } }
  | { DeleteRequest: { Key: Record<string, unknown> } };

/** Puts items in batches, a few at a time; what the table throttles is sent again. */
export const putAll = (
  dynamo: Dynamo,
  table: string,
  items: readonly Record<string, unknown>[],
): Promise<void> =>
  writeAll(
    dynamo,
    table,
    items.map((Item) => ({ PutRequest: { Item } })),
  );

/** Deletes items by key, likewise. */
export const deleteAll = (
  dynamo: Dynamo,
  table: string,
  keys: readonly { pk: string; sk: string }[],
): Promise<void> =>
  writeAll(
    dynamo,
    table,
    keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })),
  );

async function writeAll(dynamo: Dynamo, table: string, requests: readonly Request[]): Promise<void> {
  for (const round of chunks(chunks(requests, BATCH), AT_ONCE)) {
    await Promise.all(round.map((batch) => writeBatch(dynamo, table, batch)));
  }
}

async function writeBatch(dynamo: Dynamo, table: string, batch: readonly Request[]): Promise<void> {
  for (let left = [...batch], attempt = 0; left.length > 0; attempt++) {
    if (attempt === 10)
      throw new Error(`${left.length} items of ${table} were not written after 10 attempts`);
    if (attempt > 0) await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** attempt));
    const { UnprocessedItems } = await dynamo.send(
      new BatchWriteCommand({ RequestItems: { [table]: left } }),
    );
    left = (UnprocessedItems?.[table] ?? []) as Request[];
  }
}
