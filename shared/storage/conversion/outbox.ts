import { DeleteCommand, GetCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import type { ConversionEvent } from "../../domain/conversion/event";
import { MINUTE } from "../../domain/instant";
import type { Outbox } from "../../ports/outbox";
import type { Dynamo } from "../dynamo";
import { DUE_INDEX } from "../tables";
import type { TransactItem } from "../transact";
import { OUTBOX_DUE_PARTITIONS, outboxDuePartition, outboxEntryOf, outboxKey } from "./outbox-keys";

/** How long a wake-up may take before the sweeper sends another. */
export const WAKE_UP_GRACE = MINUTE;

/** The outbox entry of an event, to be part of the transaction that records it. */
export const outboxWrite = (table: string, { site, id, at }: ConversionEvent): TransactItem => ({
  Put: {
    TableName: table,
    Item: { ...outboxKey(site, id), due_pk: outboxDuePartition(id), due_at: at + WAKE_UP_GRACE },
  },
});

/** The outbox over the Deliveries table. */
export function createOutbox(dynamo: Dynamo, table: string): Outbox {
  return {
    async holds({ site, event }) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: outboxKey(site, event), ConsistentRead: true }),
      );
      return Item !== undefined;
    },
    async remove({ site, event }) {
      await dynamo.send(new DeleteCommand({ TableName: table, Key: outboxKey(site, event) }));
    },
    async due(now, limit) {
      const pages = await Promise.all(
        OUTBOX_DUE_PARTITIONS.map((partition) =>
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
      return pages.flatMap((page) => page.Items ?? []).map((item) => outboxEntryOf({ pk: String(item.pk) }));
    },
  };
}
