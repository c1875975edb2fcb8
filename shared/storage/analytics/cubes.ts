import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import {
  type Bucket,
  bucketAt,
  bucketEnd,
  bucketId,
  type Level,
  parentOf,
} from "../../domain/analytics/bucket";
import type { RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import type { CubeStore, EncodedCube, Run, SealedBucket } from "../../ports/analytics";
import { againWhileTorn } from "../../ports/torn-cube";
import { deleteAll } from "../batch";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { funnelsUnchanged } from "../funnels/unchanged";
import { queryAll } from "../query";
import { allDone } from "../settle";
import { chunks, retryPassing, type TransactItem, transact } from "../transact";
import { bucketOfHead, headKey, headPartition, headRange, newGeneration, partPartition } from "./cube-keys";
import { type CubeItem, LAYOUT, type LayoutSizes, layOut, partsOf } from "./cube-layout";
import { createCubeParts } from "./cube-parts";
import { markerKey } from "./fact-keys";
import { markUpdate } from "./markers";

interface Dependencies {
  readonly dynamo: Dynamo;
  readonly tables: { readonly cubes: string; readonly facts: string; readonly config: string };
  readonly random: RandomBytes;
  readonly sizes?: Partial<LayoutSizes>;
}

/** A cube and what its item is to hold. */
interface PlacedCube {
  readonly bucket: Bucket;
  readonly facet: string;
  readonly item: CubeItem;
}

/** A cube's item and the bucket it is of. */
type Found = CubeItem & { readonly bucket: Bucket };

/**
 * Cubes on DynamoDB. What of a cube does not lie in its item is written beside the old generation's; the item, which says
 * which generation holds, changes in the sealing transaction, so that no reader sees half a roll-up.
 */
export function createCubeStore({ dynamo, tables, random, sizes }: Dependencies): CubeStore {
  const parts = createCubeParts(dynamo, tables.cubes);
  const layout = { ...LAYOUT, ...sizes };

  async function find(site: number, facet: string, run: Run, signal?: AbortSignal): Promise<Found[]> {
    const range = headRange(run);
    const items = await queryAll(
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
    return items.map((item) => ({ ...(item as CubeItem), bucket: bucketOfHead(String(item.sk)) }));
  }

  /** All that `find` finds, in order, opened side by side; anew when a cube was replaced meanwhile. */
  async function readEach<Opened>(
    site: number,
    facet: string,
    run: Run,
    signal: AbortSignal | undefined,
    open: (found: Found) => Promise<Opened>,
  ): Promise<Opened[]> {
    const runs = splitRun(run).map((part) =>
      againWhileTorn(async () => Promise.all((await find(site, facet, part, signal)).map(open))),
    );
    return (await Promise.all(runs)).flat();
  }

  /** What the cubes' items are to hold; what of them lies apart is written by then. */
  async function place(site: number, cubes: readonly EncodedCube[], now: Instant): Promise<PlacedCube[]> {
    return Promise.all(
      [...layOut(cubes, layout)].map(async ([{ bucket, facet }, { item, parts: contents }]) => {
        if (contents.length === 0) return { bucket, facet, item };
        const generation = newGeneration(now, random(8));
        await parts.write({ site, facet, bucket, generation }, contents);
        return { bucket, facet, item: { ...item, generation } };
      }),
    );
  }

  const putOf = (site: number, { bucket, facet, item }: PlacedCube) => ({
    TableName: tables.cubes,
    Item: { ...headKey(site, facet, bucket), ...item },
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
    read: (site, facet, run, signal) =>
      readEach(site, facet, run, signal, async ({ bucket, cube, generation = "", parts: own = 0, body }) => {
        const count = own + (body?.parts ?? 0);
        const rest = count
          ? await parts.readFirst({ site, facet, bucket, generation }, count, signal)
          : NOTHING;
        return { start: bucket.start, bytes: cube && count ? Buffer.concat([cube, rest]) : (cube ?? rest) };
      }),

    readHeads: (site, facet, run, signal) =>
      readEach(site, facet, run, signal, async ({ bucket, cube, generation = "", parts: own = 0, body }) => ({
        bucket,
        bytes: cube ?? (await parts.readFirst({ site, facet, bucket, generation }, own, signal)),
        body: body ? { generation, firstPart: own, partBytes: body.part_bytes } : null,
      })),

    async readSlices(site, facet, slices, signal) {
      const lying = slices.map((slice) => {
        const { bucket, bytes, body } = slice.cube;
        if (!body) return { slice, parts: [], cutOut: () => bytes.subarray(slice.from, slice.to) };
        const { numbers, cutOut } = partsOf(slice, { ...body, bodyAt: bytes.length });
        const of = { site, facet, bucket, generation: body.generation };
        return { slice, parts: numbers.map((part) => ({ ...of, part })), cutOut };
      });
      const wanted = lying.flatMap(({ parts }) => parts);
      const found = await parts.readAny(wanted, signal);
      return new Map(lying.map(({ slice, parts, cutOut }) => [slice, cutOut(parts.map(found))]));
    },

    async seal(site, sealed, version, now) {
      const placed = await place(
        site,
        sealed.flatMap(({ bucket, cubes }) => cubes.map((cube) => ({ bucket, ...cube }))),
        now,
      );
      const parents = new Map(sealed.flatMap(({ bucket }) => parentEntry(bucket)));
      const isDone = await transactIf([
        ...placed.map((cube): TransactItem => ({ Put: putOf(site, cube) })),
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
        placed.flatMap(({ bucket, facet, item: { generation } }) =>
          generation ? [parts.sweep({ site, facet, bucket, generation }, now)] : [],
        ),
      );
      return true;
    },

    async add(site, cubes, version, now) {
      const placed = await place(site, cubes, now);
      const buckets = new Map(cubes.map(({ bucket }) => [bucketId(bucket), bucket]));
      return transactIf([
        ...placed.map(
          (cube): TransactItem => ({
            Put: { ...putOf(site, cube), ConditionExpression: "attribute_not_exists(pk)" },
          }),
        ),
        ...[...buckets.values()].map(
          (bucket): TransactItem => ({ ConditionCheck: ifUnmarked(tables.facts, site, bucket) }),
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

const ifUnmarked = (table: string, site: number, bucket: Bucket) => ({
  TableName: table,
  Key: markerKey(site, bucket),
  ConditionExpression: "attribute_not_exists(pk)",
});

/** The marker as long as nobody has marked the bucket since the sealer read. */
const ifUnchanged = (table: string, site: number, { bucket, nonce }: SealedBucket) => ({
  TableName: table,
  Key: markerKey(site, bucket),
  ConditionExpression: "nonce = :nonce",
  ExpressionAttributeValues: { ":nonce": nonce },
});

function parentEntry(bucket: Bucket): [string, Bucket][] {
  const parent = parentOf(bucket);
  return parent ? [[`${parent.level} ${parent.start}`, parent]] : [];
}

const NOTHING = new Uint8Array();

/** Buckets of one query: a page holds 1 MB, and pages come one after the other, so long runs are read side by side. */
const RUN_LENGTH: Record<Level, number> = { month: 2, day: 16, quarter: 192 };

function splitRun({ level, from, to }: Run): Run[] {
  const starts: Instant[] = [];
  for (let at = from; at < to; at = bucketEnd(bucketAt(level, at))) starts.push(at);
  return chunks(starts, RUN_LENGTH[level]).map((some) => ({
    level,
    from: some[0] ?? from,
    to: bucketEnd(bucketAt(level, some.at(-1) ?? from)),
  }));
}
