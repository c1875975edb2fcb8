import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { FunnelDirectory } from "../../ports/funnels";
import type { Dynamo } from "../dynamo";

export const createFunnelDirectory = (dynamo: Dynamo, table: string): FunnelDirectory => ({
  async of(site, signal) {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { pk: `site#${site}`, sk: "funnels" }, ConsistentRead: true }),
      signal ? { abortSignal: signal } : {},
    );
    return { version: Item?.version ?? 0, funnels: Item?.funnels ?? [] };
  },
});
