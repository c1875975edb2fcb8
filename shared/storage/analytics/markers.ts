import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Bucket } from "../../domain/analytics/bucket";
import { isOpen, sealDueAt, settledAt } from "../../domain/analytics/sealing";
import type { RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import type { Marker, MarkerReader, SealingSchedule } from "../../ports/analytics";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { queryAll } from "../query";
import { DUE_INDEX } from "../tables";
import { retryPassing } from "../transact";
import { DUE_PARTITIONS, duePartition, markerKey, markerOf, markerPartition } from "./fact-keys";

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

/** A mark that is part of the transaction that writes the facts it is for: not to be acted on before that has settled. */
export function markWithFacts(...mark: Parameters<typeof markUpdate>) {
  const update = markUpdate(...mark);
  const [, , , now] = mark;
  return {
    ...update,
    UpdateExpression: `${update.UpdateExpression}, settles_at = :settles`,
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ":settles": settledAt(now) },
  };
}

/** Sets a mark by itself. */
export type Mark = (site: number, bucket: Bucket, now: Instant) => Promise<void>;

export function createMark(dynamo: Dynamo, table: string, random: RandomBytes): Mark {
  return async (site, bucket, now) => {
    await retryPassing(() => dynamo.send(new UpdateCommand(markUpdate(table, site, bucket, now, random))));
  };
}

/**
 * Marks buckets still open, at most once each per instance: no sealer touches an open bucket, so a mark set while it
 * is open stands until all its writers are done.
 */
export function onceEach(mark: Mark): Mark {
  const done = new Set<string>();
  return async (site, bucket, now) => {
    if (!isOpen(bucket, now)) throw new RangeError("only an open bucket can be marked ahead of its facts");
    const name = `${site} ${bucket.start}`;
    if (done.has(name)) return;
    await mark(site, bucket, now);
    if (done.size > 10_000) done.clear();
    done.add(name);
  };
}

/** Reads the markers of a site. */
export function createMarkerReader(dynamo: Dynamo, table: string): MarkerReader {
  return {
    async list(site, signal): Promise<Marker[]> {
      const items = await queryAll(
        dynamo,
        {
          TableName: table,
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": markerPartition(site) },
          ProjectionExpression: "pk, sk, nonce, settles_at",
          ConsistentRead: true,
        },
        signal,
      );
      return items.map((item) => ({
        bucket: markerOf(item as { pk: string; sk: string }).bucket,
        nonce: String(item.nonce),
        settlesAt: Number(item.settles_at ?? 0),
      }));
    },
  };
}

/** The due times of all sites' markers. */
export function createSealingSchedule(dynamo: Dynamo, table: string): SealingSchedule {
  return {
    async due(now, limit) {
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

    async postpone(site, bucket, until) {
      try {
        await dynamo.send(
          new UpdateCommand({
            TableName: table,
            Key: markerKey(site, bucket),
            UpdateExpression: "SET due_at = :until",
            ConditionExpression: "attribute_exists(pk)",
            ExpressionAttributeValues: { ":until": until },
          }),
        );
      } catch (error) {
        if (!isConditionFailure(error)) throw error; // Sealed meanwhile.
      }
    },
  };
}
