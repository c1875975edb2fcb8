import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { ConversionEvent } from "../../domain/conversion/event";
import { MINUTE } from "../../domain/instant";
import type { Outbox } from "../../ports/outbox";
import type { Dynamo } from "../dynamo";
import { queryDue } from "../query";
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
      return (await queryDue(dynamo, table, OUTBOX_DUE_PARTITIONS, now, limit)).map(outboxEntryOf);
    },
  };
}
