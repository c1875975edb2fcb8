/**
 * Keys of look-ups under way in the Deliveries table.
 *
 * | pk             | sk   | item                                             | index `due`        |
 * |----------------|------|--------------------------------------------------|--------------------|
 * | link#site#evt_ | link | an event whose `existing_email` is not known yet | link#shard, due_at |
 */
const SHARDS = 8;

export const LINK_DUE_PARTITIONS: readonly string[] = Array.from(
  { length: SHARDS },
  (_, shard) => `link#${shard}`,
);

export const linkKey = (site: number, event: string) => ({ pk: `link#${site}#${event}`, sk: "link" });

/** By the event id's last character, which is random. */
export const linkDuePartition = (event: string): string =>
  `link#${event.charCodeAt(event.length - 1) % SHARDS}`;

export function linkEntryOf({ pk }: { pk: string }): { site: number; event: string } {
  const [, site, event = ""] = pk.split("#");
  return { site: Number(site), event };
}
