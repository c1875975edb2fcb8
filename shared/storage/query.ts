import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "./dynamo";

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
