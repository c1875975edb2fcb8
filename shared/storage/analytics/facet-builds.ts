import { DeleteCommand, GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Instant } from "../../domain/instant";
import type { FacetBuilds } from "../../ports/analytics";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { queryDue } from "../query";
import type { TransactItem } from "../transact";
import {
  FACET_BUILD_PARTITIONS,
  facetBuildKey,
  facetBuildPartition,
  facetOfBuildKey,
  siteOfBuildKey,
} from "./fact-keys";

/**
 * Part of the transaction that makes or ends a facet of one site: from `now` on there is work to do on its cubes, building
 * them for what is sealed already, or deleting them.
 */
export const facetChanged = (table: string, site: number, facet: string, now: Instant): TransactItem => ({
  Update: {
    TableName: table,
    Key: facetBuildKey(site, facet),
    UpdateExpression: "SET due_pk = :shard, due_at = :now, changed_at = :now",
    ExpressionAttributeValues: { ":shard": facetBuildPartition(site), ":now": now },
  },
});

/** The builds of added facets, beside the markers, so that readers have both in one query. */
export function createFacetBuilds(dynamo: Dynamo, table: string): FacetBuilds {
  /** Does nothing when the build is no longer what the caller took it for: whoever changed it sees to it. */
  async function ifStill(write: Promise<unknown>): Promise<void> {
    try {
      await write;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
    }
  }

  return {
    async find({ site, facet }) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: facetBuildKey(site, facet), ConsistentRead: true }),
      );
      if (Item?.due_at === undefined) return null;
      return { changedAt: Number(Item.changed_at), builtFrom: Item.built_from ?? null };
    },

    builtFrom: ({ site, facet }, from, next) =>
      ifStill(
        dynamo.send(
          new UpdateCommand({
            TableName: table,
            Key: facetBuildKey(site, facet),
            UpdateExpression: "SET built_from = :from, due_at = :next",
            ConditionExpression:
              "attribute_exists(due_at) AND (attribute_not_exists(built_from) OR built_from > :from)",
            ExpressionAttributeValues: { ":from": from, ":next": next },
          }),
        ),
      ),

    postpone: ({ site, facet }, next) =>
      ifStill(
        dynamo.send(
          new UpdateCommand({
            TableName: table,
            Key: facetBuildKey(site, facet),
            UpdateExpression: "SET due_at = :next",
            ConditionExpression: "attribute_exists(due_at)",
            ExpressionAttributeValues: { ":next": next },
          }),
        ),
      ),

    finish: ({ site, facet }, changedAt) =>
      ifStill(
        dynamo.send(
          new UpdateCommand({
            TableName: table,
            Key: facetBuildKey(site, facet),
            UpdateExpression: "SET built_from = :all REMOVE due_pk, due_at",
            ConditionExpression: "changed_at = :seen",
            ExpressionAttributeValues: { ":all": 0, ":seen": changedAt },
          }),
        ),
      ),

    forget: ({ site, facet }, changedAt) =>
      ifStill(
        dynamo.send(
          new DeleteCommand({
            TableName: table,
            Key: facetBuildKey(site, facet),
            ConditionExpression: "changed_at = :seen",
            ExpressionAttributeValues: { ":seen": changedAt },
          }),
        ),
      ),

    async due(now, limit) {
      const keys = await queryDue(dynamo, table, FACET_BUILD_PARTITIONS, now, limit);
      return keys.flatMap((key) => {
        const facet = facetOfBuildKey(key);
        return facet === null ? [] : [{ site: siteOfBuildKey(key), facet }];
      });
    },
  };
}
