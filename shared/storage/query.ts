import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Instant } from "../domain/instant";
import type { Dynamo } from "./dynamo";
import { DUE_INDEX } from "./tables";

/** Every item of a query, page after page. Only for ranges whose size the caller bounds. */
export async function queryAll(
  dynamo: Dynamo,
  input: QueryCommandInput,
  signal?: AbortSignal,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: QueryCommandInput["ExclusiveStartKey"];
  do {
    const page = await dynamo.send(
      new QueryCommand({
        ...input,
        ...(from ? { ExclusiveStartKey: from } : {}),
      }),
      signal ? { abortSignal: signal } : {},
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}

/** Keys of items that are due by `now`, each with its time, at most `limit` of each partition of the due index, read eventually. */
export async function queryDue(
  dynamo: Dynamo,
  table: string,
  partitions: readonly string[],
  now: Instant,
  limit: number,
): Promise<{ pk: string; sk: string; due_at: Instant }[]> {
  const pages = await Promise.all(
    partitions.map((partition) =>
      dynamo.send(
        new QueryCommand({
          TableName: table,
          IndexName: DUE_INDEX,
          KeyConditionExpression: "due_pk = :partition AND due_at <= :now",
          ExpressionAttributeValues: { ":partition": partition, ":now": now },
          Limit: limit,
        }),
      ),
    ),
  );
  return pages.flatMap((page) => page.Items ?? []) as { pk: string; sk: string; due_at: Instant }[];
}
