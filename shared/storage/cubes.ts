import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { type Bucket, bucketAt, bucketEnd, type Level, parentOf } from "../domain/analytics/bucket";
import type { RandomBytes } from "../domain/ids";
import { HOUR, type Instant } from "../domain/instant";
import { type CubeStore, type Run, type SealedBucket, TornCubeError } from "../ports/analytics";
import { deleteAll } from "./batch";
import { type Dynamo, isConditionFailure } from "./dynamo";
import {
  bucketOfHead,
  generationOf,
  headKey,
  headPartition,
  headRange,
  madeAt,
  newGeneration,
  partKey,
  partPartition,
  partPrefix,
} from "./keys/cubes";
import { markerKey } from "./keys/facts";
import { markUpdate, type TransactItem } from "./markers";
import { queryAll } from "./query";
import { chunks, transact } from "./transact";

/** A cube up to this size lies in its head. An item holds 400 KB; a transaction of several heads 4 MB. */
const MAX_PART_BYTES = 350_000;

interface Head {
  readonly cube?: Uint8Array;
  readonly generation?: string;
  readonly parts?: number;
}

interface Dependencies {
  readonly dynamo: Dynamo;
  readonly tables: { readonly cubes: string; readonly facts: string };
  readonly random: RandomBytes;
}

/**
 * Cubes on DynamoDB. A large cube's parts are written beside the old generation's; the head, which says which
 * generation holds, changes in the transaction that removes the marker, so that no reader sees half a roll-up.
 */
export function createCubeStore({ dynamo, tables, random }: Dependencies): CubeStore {
  async function readParts(site: number, facet: string, bucket: Bucket, head: Head, signal?: AbortSignal) {
    const items = await queryAll(
      dynamo,
      {
        TableName: tables.cubes,
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues: {
          ":pk": partPartition(site, facet),
          ":prefix": `${partPrefix(bucket)}${head.generation}#`,
        },
        ConsistentRead: true,
      },
      signal,
    );
    if (items.length !== head.parts) throw new TornCubeError();
    return Buffer.concat(items.map((item) => item.part as Uint8Array));
  }

  async function readRun(site: number, facet: string, run: Run, signal?: AbortSignal) {
    const range = headRange(run);
    const heads = await queryAll(
      dynamo,
      {
        TableName: tables.cubes,
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
        ExpressionAttributeValues: {
          ":pk": headPartition(site, facet),
          ":from": range.from,
          ":to": range.to,
        },
        ConsistentRead: true,
      },
      signal,
    );
    return Promise.all(
      heads.map(async (item) => {
        const head = item as Head;
        const bucket = bucketOfHead(String(item.sk));
        return {
          start: bucket.start,
          bytes: head.cube ?? (await readParts(site, facet, bucket, head, signal)),
        };
      }),
    );
  }

  /** Writes a large cube's parts under a generation of their own and answers the head that will point to them. */
  async function prepareHead(site: number, bucket: Bucket, facet: string, bytes: Uint8Array, now: Instant) {
    if (bytes.length <= MAX_PART_BYTES) return { cube: bytes };
    const generation = newGeneration(now, random(8));
    const count = Math.ceil(bytes.length / MAX_PART_BYTES);
    await Promise.all(
      Array.from({ length: count }, (_, part) =>
        dynamo.send(
          new PutCommand({
            TableName: tables.cubes,
            Item: {
              ...partKey(site, facet, bucket, generation, part),
              part: bytes.subarray(part * MAX_PART_BYTES, (part + 1) * MAX_PART_BYTES),
            },
          }),
        ),
      ),
    );
    return { generation, parts: count };
  }

  /**
   * Deletes parts that no head points to and no sealer can still be about to switch to: of other generations, made
   * more than an hour ago. Younger ones (those just replaced, too) go the next time the bucket is sealed.
   */
  async function sweepParts(site: number, bucket: Bucket, facet: string, current: string, now: Instant) {
    const parts = await queryAll(dynamo, {
      TableName: tables.cubes,
      KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
      ExpressionAttributeValues: { ":pk": partPartition(site, facet), ":prefix": partPrefix(bucket) },
      ProjectionExpression: "pk, sk",
    });
    const stale = parts.filter(({ sk }) => {
      const generation = generationOf(String(sk));
      return generation !== current && madeAt(generation) < now - HOUR;
    });
    await deleteAll(dynamo, tables.cubes, stale as { pk: string; sk: string }[]);
  }

  return {
    async read(site, facet, run, signal) {
      const runs = await Promise.all(splitRun(run).map((part) => readRun(site, facet, part, signal)));
      return runs.flat();
    },

    async seal(site, sealed, now) {
      const heads = await Promise.all(
        sealed.flatMap(({ bucket, cubes }) =>
          cubes.map(async ({ facet, bytes }) => ({
            bucket,
            facet,
            head: await prepareHead(site, bucket, facet, bytes, now),
          })),
        ),
      );
      const parents = new Map(sealed.flatMap(({ bucket }) => parentEntry(bucket)));
      try {
        await transact(dynamo, [
          ...heads.map(
            ({ bucket, facet, head }): TransactItem => ({
              Put: { TableName: tables.cubes, Item: { ...headKey(site, facet, bucket), ...head } },
            }),
          ),
          ...sealed.map((one) => removeMarker(tables.facts, site, one)),
          ...[...parents.values()].map(
            (parent): TransactItem => ({ Update: markUpdate(tables.facts, site, parent, now, random) }),
          ),
        ]);
      } catch (error) {
        if (isConditionFailure(error)) return false;
        throw error;
      }
      await Promise.all(
        heads.map(({ bucket, facet, head }) =>
          head.generation ? sweepParts(site, bucket, facet, head.generation, now) : undefined,
        ),
      );
      return true;
    },
  };
}

const removeMarker = (table: string, site: number, { bucket, nonce }: SealedBucket): TransactItem => ({
  Delete: {
    TableName: table,
    Key: markerKey(site, bucket),
    ConditionExpression: "nonce = :nonce",
    ExpressionAttributeValues: { ":nonce": nonce },
  },
});

function parentEntry(bucket: Bucket): [string, Bucket][] {
  const parent = parentOf(bucket);
  return parent ? [[`${parent.level} ${parent.start}`, parent]] : [];
}

/** Buckets of one query: a page holds 1 MB, and pages come one after the other, so long runs are read side by side. */
const RUN_LENGTH: Record<Level, number> = { month: 4, day: 16, quarter: 192 };

function splitRun({ level, from, to }: Run): Run[] {
  const starts: Instant[] = [];
  for (let at = from; at < to; at = bucketEnd(bucketAt(level, at))) starts.push(at);
  return chunks(starts, RUN_LENGTH[level]).map((some) => ({
    level,
    from: some[0] ?? from,
    to: bucketEnd(bucketAt(level, some.at(-1) ?? from)),
  }));
}
