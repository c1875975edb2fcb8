import { QueryCommand, type TransactWriteCommandInput, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Bucket } from "../domain/analytics/bucket";
import { isOpen, sealDueAt } from "../domain/analytics/sealing";
import type { RandomBytes } from "../domain/ids";
import type { Instant } from "../domain/instant";
import type { DueBucket, Marker, MarkerReader } from "../ports/analytics";
import type { Dynamo } from "./dynamo";
import { DUE_PARTITIONS, duePartition, markerKey, markerOf, markerPartition } from "./keys/facts";
import { queryAll } from "./query";
import { DUE_INDEX } from "./tables";

export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

/**
 * A marker on a bucket means that its cube is not to be trusted. Its nonce changes with every change the sealer must
 * not miss; the sealer removes it only if the nonce is the one it saw before it read.
 */
export function markUpdate(table: string, site: number, bucket: Bucket, now: Instant, random: RandomBytes) {
  return {
    TableName: table,
    Key: markerKey(site, bucket),
    UpdateExpression: "SET nonce = :nonce, due_pk = :shard, due_at = if_not_exists(due_at, :due)",
    ExpressionAttributeValues: {
      ":nonce": Buffer.from(random(9)).toString("base64url"),
      ":shard": duePartition(site),
      ":due": sealDueAt(bucket, now),
    },
  };
}

/**
 * Marks buckets still open, at most once each per instance: no sealer touches an open bucket, so a mark set while it
 * is open stands until all its writers are done.
 */
export function openMarks(dynamo: Dynamo, table: string, random: RandomBytes) {
  const done = new Set<string>();
  return async (site: number, bucket: Bucket, now: Instant): Promise<void> => {
    if (!isOpen(bucket, now)) throw new RangeError("only an open bucket can be marked ahead of its facts");
    const name = `${site} ${bucket.start}`;
    if (done.has(name)) return;
    await dynamo.send(new UpdateCommand(markUpdate(table, site, bucket, now, random)));
    if (done.size > 10_000) done.clear();
    done.add(name);
  };
}

/** Reads markers: of one site (consistently), and of all sites those due. */
export function createMarkerReader(dynamo: Dynamo, table: string): MarkerReader {
  return {
    async list(site, signal): Promise<Marker[]> {
      const items = await queryAll(
        dynamo,
        {
          TableName: table,
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": markerPartition(site) },
          ProjectionExpression: "pk, sk, nonce",
          ConsistentRead: true,
        },
        signal,
      );
      return items.map((item) => ({
        bucket: markerOf(item as { pk: string; sk: string }).bucket,
        nonce: String(item.nonce),
      }));
    },
    async due(now, limit): Promise<DueBucket[]> {
      const pages = await Promise.all(
        DUE_PARTITIONS.map((partition) =>
          dynamo.send(
            new QueryCommand({
              TableName: table,
              IndexName: DUE_INDEX,
              KeyConditionExpression: "due_pk = :partition AND due_at <= :now",
              ExpressionAttributeValues: {
                ":partition": partition,
                ":now": now,
              },
              Limit: limit,
            }),
          ),
        ),
      );
      return pages
        .flatMap((page) => page.Items ?? [])
        .map((item) => markerOf(item as { pk: string; sk: string }));
    },
  };
}
