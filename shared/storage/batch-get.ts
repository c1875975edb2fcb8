import { setTimeout as sleep } from "node:timers/promises";
import { BatchGetCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "./dynamo";

export type Item = Record<string, unknown>;

/** What one BatchGetItem reads at most. */
export const MOST_GETS = 100;
const ATTEMPTS = 8;

/** Reads up to 100 items of different keys, consistently, in any order; those that do not exist are left out. */
export async function batchGet(
  dynamo: Dynamo,
  table: string,
  keys: readonly { readonly pk: string; readonly sk: string }[],
  signal?: AbortSignal,
): Promise<Item[]> {
  const found: Item[] = [];
  let left: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt === ATTEMPTS) throw new Error(`${left.length} items of ${table} were not read`);
    if (attempt > 0)
      await sleep(20 * 2 ** attempt * (0.5 + Math.random() / 2), undefined, signal && { signal });
    const answer = await dynamo.send(
      new BatchGetCommand({ RequestItems: { [table]: { Keys: left, ConsistentRead: true } } }),
      signal ? { abortSignal: signal } : {},
    );
    found.push(...(answer.Responses?.[table] ?? []));
    left = answer.UnprocessedKeys?.[table]?.Keys ?? [];
  }
  return found;
}
