import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { type CustomEvent, customEventId } from "../../domain/conversion/custom-event";
import { ApiError } from "../../domain/errors";
import type { Instant } from "../../domain/instant";
import { type ConfigTable, listItems } from "../access/config-table";
import { isConditionFailure } from "../dynamo";
import { retryPassing, type TransactItem } from "../transact";
import { CUSTOM_EVENT_PREFIX, customEventKey, customEventsPartition } from "./custom-event-keys";

const itemSchema = z.object({
  name: z.string(),
  created: z.number(),
  /** DynamoDB has no empty sets: once the last one is gone, so is the field. */
  users: z.set(z.string()).default(new Set()),
});

/** Part of the transaction that creates what uses a custom event: it is registered unless it was, and in use from then on. */
export const customEventUse = (
  table: string,
  site: number,
  name: string,
  user: string,
  now: Instant,
): TransactItem => ({
  Update: {
    TableName: table,
    Key: customEventKey(site, customEventId(name)),
    UpdateExpression: "SET #name = :name, #created = if_not_exists(#created, :now) ADD #users :user",
    ExpressionAttributeNames: { "#name": "name", "#created": "created", "#users": "users" },
    ExpressionAttributeValues: { ":name": name, ":now": now, ":user": new Set([user]) },
  },
});

/** Part of the transaction that ends such a use. The custom event stays. */
export const customEventRelease = (
  table: string,
  site: number,
  name: string,
  user: string,
): TransactItem => ({
  Update: {
    TableName: table,
    Key: customEventKey(site, customEventId(name)),
    UpdateExpression: "DELETE #users :user",
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: { "#users": "users" },
    ExpressionAttributeValues: { ":user": new Set([user]) },
  },
});

/** A site's custom events, by name. */
export async function listCustomEvents(config: ConfigTable, site: number): Promise<readonly CustomEvent[]> {
  const items = await listItems(config, customEventsPartition(site), CUSTOM_EVENT_PREFIX);
  return items
    .map((item) => itemSchema.parse(item))
    .map(({ name, created, users }) => ({
      ...{ id: customEventId(name), name, created },
      usedBy: [...users].sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Deletes a custom event that nothing uses. Throws NOT_FOUND, or CONFLICT when something does. */
export async function deleteCustomEvent(
  { dynamo, table }: ConfigTable,
  site: number,
  id: string,
): Promise<void> {
  const remove = new DeleteCommand({
    TableName: table,
    Key: customEventKey(site, id),
    ConditionExpression: "attribute_exists(pk) AND attribute_not_exists(#users)",
    ExpressionAttributeNames: { "#users": "users" },
    ReturnValuesOnConditionCheckFailure: "ALL_OLD",
  });
  try {
    await retryPassing(() => dynamo.send(remove));
  } catch (error) {
    if (!isConditionFailure(error)) throw error;
    if ((error as { Item?: unknown }).Item === undefined) throw new ApiError("NOT_FOUND");
    throw new ApiError("CONFLICT", "The custom event is in use. Delete what uses it first.");
  }
}
