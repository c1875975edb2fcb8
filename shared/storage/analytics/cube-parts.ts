import { PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Bucket } from "../../domain/analytics/bucket";
import { HOUR, type Instant } from "../../domain/instant";
import { TornCubeError } from "../../ports/torn-cube";
import { deleteAll } from "../batch";
import { batchGet } from "../batch-get";
import type { Dynamo } from "../dynamo";
import { queryAll } from "../query";
import { allDone } from "../settle";
import { chunks } from "../transact";
import { generationOf, madeAt, partKey, partPartition, partPrefix } from "./cube-keys";

/** Names the parts of one cube. */
export interface Parts {
  readonly site: number;
  readonly facet: string;
  readonly bucket: Bucket;
  readonly generation: string;
}

/** One part, by number. */
export type Part = Parts & { readonly part: number };

/** Parts read by one request, about 1 MB: less than it may be, so that many come side by side. */
const TOGETHER = 32;

/** What of a cube does not lie in its item. Reads throw {@link TornCubeError} when a part is gone. */
export function createCubeParts(dynamo: Dynamo, table: string) {
  const keyOf = ({ site, facet, bucket, generation, part }: Part) =>
    partKey(site, facet, bucket, generation, part);

  return {
    /** Writes a cube's parts under a generation that nothing points to yet. */
    write: (parts: Parts, contents: readonly Uint8Array[]): Promise<void> =>
      allDone(
        contents.map((content, part) =>
          dynamo.send(
            new PutCommand({ TableName: table, Item: { ...keyOf({ ...parts, part }), part: content } }),
          ),
        ),
      ),

    /** The first `count` parts of a cube, put together. */
    async readFirst(parts: Parts, count: number, signal?: AbortSignal): Promise<Uint8Array> {
      const items = await queryAll(
        dynamo,
        {
          TableName: table,
          KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
          ExpressionAttributeValues: {
            ":pk": partPartition(parts.site, parts.facet),
            ":from": keyOf({ ...parts, part: 0 }).sk,
            ":to": keyOf({ ...parts, part: count - 1 }).sk,
          },
          ConsistentRead: true,
        },
        signal,
      );
      if (items.length !== count) throw new TornCubeError();
      return Buffer.concat(items.map((item) => item.part as Uint8Array));
    },

    /** Any parts of any cubes, each read once. Answers what finds them. */
    async readAny(wanted: readonly Part[], signal?: AbortSignal): Promise<(part: Part) => Uint8Array> {
      const nameOf = (part: { pk: string; sk: string }) => `${part.pk} ${part.sk}`;
      const keys = new Map(wanted.map(keyOf).map((key) => [nameOf(key), key]));
      const items = await Promise.all(
        chunks([...keys.values()], TOGETHER).map((some) => batchGet(dynamo, table, some, signal)),
      );
      const found = new Map(
        items.flat().map((item) => [nameOf(item as { pk: string; sk: string }), item.part as Uint8Array]),
      );
      if (found.size !== keys.size) throw new TornCubeError();
      return (part) => found.get(nameOf(keyOf(part))) ?? torn();
    },

    /**
     * Deletes parts that no item points to and no sealer can still be about to switch to: of other generations, made
     * more than an hour ago. Younger ones (those just replaced, too) go the next time the bucket is sealed.
     */
    async sweep({ site, facet, bucket, generation }: Parts, now: Instant): Promise<void> {
      const parts = await queryAll(dynamo, {
        TableName: table,
        KeyConditionExpression: "pk = :pk AND begins_with(sk, :prefix)",
        ExpressionAttributeValues: { ":pk": partPartition(site, facet), ":prefix": partPrefix(bucket) },
        ProjectionExpression: "pk, sk",
      });
      const stale = parts.filter(({ sk }) => {
        const other = generationOf(String(sk));
        return other !== generation && madeAt(other) < now - HOUR;
      });
      await deleteAll(dynamo, table, stale as { pk: string; sk: string }[]);
    },
  };
}

function torn(): never {
  throw new TornCubeError();
}
