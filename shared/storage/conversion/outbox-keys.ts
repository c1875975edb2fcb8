import type { OutboxEntry } from "../../ports/outbox";

/**
 * Keys of the outbox in the Deliveries table.
 *
 * | pk               | sk       | item                                                | index `due`          |
 * |------------------|----------|-----------------------------------------------------|----------------------|
 * | outbox#site#evt_ | outbox   | an event that is still to be announced              | outbox#shard, due_at |
 * | outbox#site#evt_ | outbox#2 | its version 2, likewise: apart, so that who removes | outbox#shard, due_at |
 * |                  |          | the first removes nothing that came since           |                      |
 *
 * Every event of every site passes through the index for a moment: eight partitions keep it from being one hot key.
 */
const SHARDS = 8;

export const OUTBOX_DUE_PARTITIONS: readonly string[] = Array.from(
  { length: SHARDS },
  (_, shard) => `outbox#${shard}`,
);

export const outboxKey = (site: number, event: string, version: number) => ({
  pk: `outbox#${site}#${event}`,
  sk: version === 1 ? "outbox" : `outbox#${version}`,
});

/** By the event id's last character, which is random. */
export const outboxDuePartition = (event: string): string =>
  `outbox#${event.charCodeAt(event.length - 1) % SHARDS}`;

export function outboxEntryOf({ pk, sk }: { pk: string; sk: string }): OutboxEntry {
  const [, site, event = ""] = pk.split("#");
  const [, version = 1] = sk.split("#");
  return { site: Number(site), event, version: Number(version) };
}
