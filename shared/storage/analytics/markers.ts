import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Bucket } from "../../domain/analytics/bucket";
import { isOpen, sealDueAt, settledAt } from "../../domain/analytics/sealing";
import type { RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import type { Marker, MarkerReader, SealingSchedule, Trust } from "../../ports/analytics";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { queryAll, queryDue } from "../query";
import { retryPassing } from "../transact";
import {
  DUE_PARTITIONS,
  duePartition,
  facetOfBuildKey,
  markerKey,
  markerOf,
  markerPartition,
} from "./fact-keys";

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

/** Reads the markers of a site, and how far its added facets are built, which lies behind them in the same partition. */
export function createMarkerReader(dynamo: Dynamo, table: string): MarkerReader {
  async function trust(site: number, signal?: AbortSignal): Promise<Trust> {
    const items = await queryAll(
      dynamo,
      {
        TableName: table,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": markerPartition(site) },
        ProjectionExpression: "pk, sk, nonce, settles_at, built_from",
        ConsistentRead: true,
      },
      signal,
    );
    const markers: Marker[] = [];
    const builtFrom = new Map<string, Instant>();
    for (const item of items) {
      const key = item as { pk: string; sk: string };
      const facet = facetOfBuildKey(key);
      if (facet === null) {
        const { bucket } = markerOf(key);
        markers.push({ bucket, nonce: String(item.nonce), settlesAt: Number(item.settles_at ?? 0) });
      } else if (item.built_from !== undefined) builtFrom.set(facet, Number(item.built_from));
    }
    return { markers, builtFrom };
  }

  return { trust, list: async (site, signal) => [...(await trust(site, signal)).markers] };
}

/** The due times of all sites' markers. */
export function createSealingSchedule(dynamo: Dynamo, table: string): SealingSchedule {
  return {
    async due(now, limit) {
      const keys = await queryDue(dynamo, table, DUE_PARTITIONS, now, limit);
      return keys.map(markerOf);
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
