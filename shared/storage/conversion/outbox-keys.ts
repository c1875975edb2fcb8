/**
 * Keys of the outbox in the Deliveries table.
 *
 * | pk               | sk     | item                                | index `due`          |
 * |------------------|--------|-------------------------------------|----------------------|
 * | outbox#site#evt_ | outbox | an event that is still to be announced | outbox#shard, due_at |
 *
 * Every event of every site passes through the index for a moment: eight partitions keep it from being one hot key.
 */
const SHARDS = 8;

export const OUTBOX_DUE_PARTITIONS: readonly string[] = Array.from(
  { length: SHARDS },
  (_, shard) => `outbox#${shard}`,
);

export const outboxKey = (site: number, event: string) => ({ pk: `outbox#${site}#${event}`, sk: "outbox" });

/** By the event id's last character, which is random. */
export const outboxDuePartition = (event: string): string =>
  `outbox#${event.charCodeAt(event.length - 1) % SHARDS}`;

export function outboxEntryOf({ pk }: { pk: string }): { site: number; event: string } {
  const [, site, event = ""] = pk.split("#");
  return { site: Number(site), event };
}
