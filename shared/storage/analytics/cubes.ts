import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import {
  type Bucket,
  bucketAt,
  bucketEnd,
  bucketId,
  type Level,
  parentOf,
} from "../../domain/analytics/bucket";
import type { RandomBytes } from "../../domain/ids";
import { HOUR, type Instant } from "../../domain/instant";
import type { CubeStore, EncodedCube, Run, SealedBucket } from "../../ports/analytics";
import { deleteAll } from "../batch";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { funnelsUnchanged } from "../funnels/unchanged";
import { queryAll } from "../query";
import { allDone } from "../settle";
import { chunks, retryPassing, type TransactItem, transact } from "../transact";
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
} from "./cube-keys";
import { markerKey } from "./fact-keys";
import { markUpdate } from "./markers";

/** An item holds 400 KB. */
const MAX_PART_BYTES = 350_000;
/** A transaction holds 4 MB, keys included. */
const MAX_HEADS_BYTES = 3_000_000;
const READ_ATTEMPTS = 4;

interface Head {
  readonly cube?: Uint8Array;
  readonly generation?: string;
  readonly parts?: number;
}

/** A cube and what its head item is to hold. */
interface PlacedCube {
  readonly bucket: Bucket;
  readonly facet: string;
  readonly head: Head;
}

interface Dependencies {
  readonly dynamo: Dynamo;
  readonly tables: { readonly cubes: string; readonly facts: string; readonly config: string };
  readonly random: RandomBytes;
  /** A cube up to this size lies in its head, a larger one in parts of it; tests make it small. */
  readonly maxPartBytes?: number;
}

/** A cube was replaced, and its old parts deleted, between the reads of its head and its parts. */
class TornCubeError extends Error {
  override readonly name = "TornCubeError";
}

/**
 * Cubes on DynamoDB. A large cube's parts are written beside the old generation's; the head, which says which
 * generation holds, changes in the sealing transaction, so that no reader sees half a roll-up.
 */
export function createCubeStore({
  dynamo,
  tables,
  random,
  maxPartBytes = MAX_PART_BYTES,
}: Dependencies): CubeStore {
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

  /** Reads again when a cube was replaced meanwhile: a newer cube is as good. */
  async function readWhole(...request: Parameters<typeof readRun>): ReturnType<typeof readRun> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await readRun(...request);
      } catch (error) {
        if (!(error instanceof TornCubeError) || attempt === READ_ATTEMPTS) throw error;
      }
    }
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
  async function writeParts(site: number, bucket: Bucket, facet: string, bytes: Uint8Array, now: Instant) {
    const generation = newGeneration(now, random(8));
    const count = Math.ceil(bytes.length / maxPartBytes);
    await allDone(
      Array.from({ length: count }, (_, part) =>
        dynamo.send(
          new PutCommand({
            TableName: tables.cubes,
            Item: {
              ...partKey(site, facet, bucket, generation, part),
              part: bytes.subarray(part * maxPartBytes, (part + 1) * maxPartBytes),
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

  /** What the cubes' head items are to hold; the parts of those too large are written by then. */
  async function headsOf(site: number, all: readonly EncodedCube[], now: Instant): Promise<PlacedCube[]> {
    const inHeads = fitting(all, maxPartBytes);
    return Promise.all(
      all.map(async (cube) => {
        const { bucket, facet, bytes } = cube;
        const head = inHeads.has(cube) ? { cube: bytes } : await writeParts(site, bucket, facet, bytes, now);
        return { bucket, facet, head };
      }),
    );
  }

  const putOf = (site: number, { bucket, facet, head }: PlacedCube) => ({
    TableName: tables.cubes,
    Item: { ...headKey(site, facet, bucket), ...head },
  });

  const ifUnmarked = (site: number, bucket: Bucket) => ({
    TableName: tables.facts,
    Key: markerKey(site, bucket),
    ConditionExpression: "attribute_not_exists(pk)",
  });

  /** Whether the transaction was carried out; not when a condition in it failed. */
  async function transactIf(items: TransactItem[]): Promise<boolean> {
    try {
      await transact(dynamo, items);
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      throw error;
    }
  }

  async function removeMarker(site: number, sealed: SealedBucket): Promise<void> {
    try {
      await retryPassing(() => dynamo.send(new DeleteCommand(ifUnchanged(tables.facts, site, sealed))));
    } catch (error) {
      if (!isConditionFailure(error)) throw error; // Marked again: it stays.
    }
  }

  return {
    async read(site, facet, run, signal) {
      const runs = await Promise.all(splitRun(run).map((part) => readWhole(site, facet, part, signal)));
      return runs.flat();
    },

    async seal(site, sealed, version, now) {
      const heads = await headsOf(
        site,
        sealed.flatMap(({ bucket, cubes }) => cubes.map((cube) => ({ bucket, ...cube }))),
        now,
      );
      const parents = new Map(sealed.flatMap(({ bucket }) => parentEntry(bucket)));
      const isDone = await transactIf([
        ...heads.map((head): TransactItem => ({ Put: putOf(site, head) })),
        ...sealed.map((one): TransactItem => ({ ConditionCheck: ifUnchanged(tables.facts, site, one) })),
        ...[...parents.values()].map(
          (parent): TransactItem => ({ Update: markUpdate(tables.facts, site, parent, now, random) }),
        ),
        funnelsUnchanged(tables.config, site, version),
      ]);
      if (!isDone) return false;
      // Only now: a transaction's writes become visible one by one until it is answered, and without the marker
      // readers trust the cube and the parent's sealer takes it as it finds it.
      await allDone(sealed.map((one) => removeMarker(site, one)));
      await allDone(
        heads.flatMap(({ bucket, facet, head }) =>
          head.generation ? [sweepParts(site, bucket, facet, head.generation, now)] : [],
        ),
      );
      return true;
    },

    async add(site, cubes, version, now) {
      const heads = await headsOf(site, cubes, now);
      const buckets = new Map(cubes.map(({ bucket }) => [bucketId(bucket), bucket]));
      return transactIf([
        ...heads.map(
          (head): TransactItem => ({
            Put: { ...putOf(site, head), ConditionExpression: "attribute_not_exists(pk)" },
          }),
        ),
        ...[...buckets.values()].map(
          (bucket): TransactItem => ({ ConditionCheck: ifUnmarked(site, bucket) }),
        ),
        funnelsUnchanged(tables.config, site, version),
      ]);
    },

    async drop(site, facet) {
      for (const pk of [headPartition(site, facet), partPartition(site, facet)]) {
        const items = await queryAll(dynamo, {
          TableName: tables.cubes,
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": pk },
          ProjectionExpression: "pk, sk",
        });
        await deleteAll(dynamo, tables.cubes, items as { pk: string; sk: string }[]);
      }
    },
  };
}

/** The marker as long as nobody has marked the bucket since the sealer read. */
const ifUnchanged = (table: string, site: number, { bucket, nonce }: SealedBucket) => ({
  TableName: table,
  Key: markerKey(site, bucket),
  ConditionExpression: "nonce = :nonce",
  ExpressionAttributeValues: { ":nonce": nonce },
});

/** The cubes that stay in their heads: none too large for an item, all together within a transaction; the largest go first. */
function fitting<Cube extends { readonly bytes: Uint8Array }>(
  cubes: readonly Cube[],
  most: number,
): Set<Cube> {
  const inHeads = new Set<Cube>();
  let room = MAX_HEADS_BYTES;
  for (const cube of [...cubes].sort((a, b) => a.bytes.length - b.bytes.length)) {
    room -= cube.bytes.length;
    if (cube.bytes.length <= most && room >= 0) inHeads.add(cube);
  }
  return inHeads;
}

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
