import type { Instant } from "../../domain/instant";
import type { TransactItem } from "../transact";
import { facetBuildKey, facetBuildPartition } from "./fact-keys";

/**
 * Part of the transaction that makes or ends a facet of one site: from `now` on there is work to do on its cubes, building
 * them for what is sealed already, or deleting them.
 */
export const facetChanged = (table: string, site: number, facet: string, now: Instant): TransactItem => ({
  Update: {
    TableName: table,
    Key: facetBuildKey(site, facet),
    UpdateExpression: "SET due_pk = :shard, due_at = :now",
    ExpressionAttributeValues: { ":shard": facetBuildPartition(site), ":now": now },
  },
});
