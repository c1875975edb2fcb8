import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { ConversionEvent } from "../../domain/conversion/event";
import { lookedForUnder, nextLook } from "../../domain/identity/link";
import { DAY, SECOND } from "../../domain/instant";
import type { PendingLinks } from "../../ports/links";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { queryDue } from "../query";
import { retryPassing, type TransactItem } from "../transact";
import { waitingKey } from "./identity-keys";
import { LINK_DUE_PARTITIONS, linkDuePartition, linkEntryOf, linkKey } from "./link-keys";

/** Names of the tables a link lies in. */
export interface LinkTables {
  readonly identity: string;
  readonly deliveries: string;
}

/** What is left of a look-up goes this long after its end, should the event be deleted meanwhile. */
const KEPT_AFTER = 2 * DAY;

/**
 * What a pending link consists of beside its event, to be part of the transaction that records it: the look-up, which
 * the clock finds, and a pointer beside each e-mail the person may appear under, for who makes them known.
 */
export function lookUpWrites(tables: LinkTables, event: ConversionEvent): TransactItem[] {
  const { link, site, id, at } = event;
  if (link?.status !== "pending") return [];
  const ttl = Math.ceil((link.until + KEPT_AFTER) / SECOND);
  const pointers = waitingKeys(event).map((key) => ({
    Put: { TableName: tables.identity, Item: { ...key, ttl } },
  }));
  const due = { due_pk: linkDuePartition(id), due_at: nextLook(at, at, link.until) };
  const Item = { ...linkKey(site, id), ...due, ttl };
  return [...pointers, { Put: { TableName: tables.deliveries, Item } }];
}

/** The items that end a look-up, to be part of the transaction that settles its link. */
export const lookUpEnd = (tables: LinkTables, event: ConversionEvent): TransactItem[] => [
  ...waitingKeys(event).map((Key) => ({ Delete: { TableName: tables.identity, Key } })),
  { Delete: { TableName: tables.deliveries, Key: linkKey(event.site, event.id) } },
];

const waitingKeys = ({ link, site, id, contact }: ConversionEvent) =>
  link ? lookedForUnder(link.existingEmail, contact.email).map((email) => waitingKey(site, email, id)) : [];

/** The look-ups over the Deliveries table. */
export function createPendingLinks(dynamo: Dynamo, table: string): PendingLinks {
  return {
    async due(now, limit) {
      const keys = await queryDue(dynamo, table, LINK_DUE_PARTITIONS, now, limit);
      return keys.map((key) => ({ entry: linkEntryOf(key), dueAt: key.due_at }));
    },
    async postpone({ site, event }, until) {
      try {
        const update = new UpdateCommand({
          TableName: table,
          Key: linkKey(site, event),
          UpdateExpression: "SET due_at = :due",
          ConditionExpression: "attribute_exists(pk)",
          ExpressionAttributeValues: { ":due": until },
        });
        await retryPassing(() => dynamo.send(update));
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    },
    async remove({ site, event }) {
      await dynamo.send(new DeleteCommand({ TableName: table, Key: linkKey(site, event) }));
    },
  };
}
