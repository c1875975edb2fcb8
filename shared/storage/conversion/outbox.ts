import { DeleteCommand, GetCommand } from "@aws-sdk/lib-dynamodb";
import type { ConversionEvent } from "../../domain/conversion/event";
import { type Instant, MINUTE } from "../../domain/instant";
import type { Outbox } from "../../ports/outbox";
import type { Dynamo } from "../dynamo";
import { queryDue } from "../query";
import type { TransactItem } from "../transact";
import { OUTBOX_DUE_PARTITIONS, outboxDuePartition, outboxEntryOf, outboxKey } from "./outbox-keys";

/** How long a wake-up may take before the sweeper sends another. */
export const WAKE_UP_GRACE = MINUTE;

/** The outbox entry of an event's version, to be part of the transaction that made it at `now`. */
export const outboxWrite = (
  table: string,
  { site, id, version }: ConversionEvent,
  now: Instant,
): TransactItem => ({
  Put: {
    TableName: table,
    Item: { ...outboxKey(site, id, version), due_pk: outboxDuePartition(id), due_at: now + WAKE_UP_GRACE },
  },
});

/** The outbox over the Deliveries table. */
export function createOutbox(dynamo: Dynamo, table: string): Outbox {
  return {
    async holds({ site, event, version }) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: outboxKey(site, event, version), ConsistentRead: true }),
      );
      return Item !== undefined;
    },
    async remove({ site, event, version }) {
      await dynamo.send(new DeleteCommand({ TableName: table, Key: outboxKey(site, event, version) }));
    },
    async due(now, limit) {
      return (await queryDue(dynamo, table, OUTBOX_DUE_PARTITIONS, now, limit)).map(outboxEntryOf);
    },
  };
}
