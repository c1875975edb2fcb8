import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { type Instant, MINUTE, SECOND } from "../../domain/instant";
import type { ResponseCache } from "../../ports/response-cache";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { cachedAnswerKey } from "./ephemeral-keys";

/** One piece of a compressed answer. All pieces of one answer carry the same `as_of`. */
const partSchema = z.object({
  as_of: z.number(),
  parts: z.int().positive(),
  bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
});
type Part = z.infer<typeof partSchema>;

/** An item holds 400 KB. */
const PART_BYTES = 380_000;
/** More than the largest answer a function can give (6 MB), were it incompressible. Anything larger is not kept. */
const MAX_PARTS = 16;

/**
 * A cache in the Ephemeral table. An answer is compressed and lies in one item, which is one round trip to read; what
 * is larger than an item spills into further ones, fetched at once after the first. The compressed text carries a
 * checksum, so pieces of different answers, or anything else that is not what was written, read as nothing kept.
 * Expiry is judged by `as_of`, because the table deletes late.
 */
export function createResponseCache(
  dynamo: Dynamo,
  table: string,
  lifetimeMs: number = MINUTE,
): ResponseCache {
  async function readPart(key: string, part: number): Promise<Part | null> {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: cachedAnswerKey(key, part), ConsistentRead: true }),
    );
    return partSchema.safeParse(Item).data ?? null;
  }

  async function writePart(key: string, part: number, content: Part): Promise<void> {
    await dynamo.send(
      new PutCommand({
        TableName: table,
        Item: {
          ...cachedAnswerKey(key, part),
          ...content,
          ttl: Math.ceil((content.as_of + lifetimeMs) / SECOND),
        },
        ConditionExpression: "attribute_not_exists(as_of) OR as_of <= :as_of",
        ExpressionAttributeValues: { ":as_of": content.as_of },
      }),
    );
  }

  return {
    async read(key, now) {
      const first = await readPart(key, 0);
      if (first === null || !isFresh(first.as_of, now) || first.parts > MAX_PARTS) return null;
      const rest = await Promise.all(indices(1, first.parts).map((part) => readPart(key, part)));
      const pieces = [first, ...rest].map((part) =>
        part?.as_of === first.as_of ? part.bytes : new Uint8Array(),
      );
      return decompress(Buffer.concat(pieces));
    },

    async write(key, text, asOf) {
      const compressed = compress(text);
      const parts = Math.ceil(compressed.length / PART_BYTES);
      if (parts > MAX_PARTS) return;
      const piece = (part: number): Part => ({
        as_of: asOf,
        parts,
        bytes: compressed.subarray(part * PART_BYTES, (part + 1) * PART_BYTES),
      });
      try {
        // The first piece makes the answer readable, so it goes last.
        await Promise.all(indices(1, parts).map((part) => writePart(key, part, piece(part))));
        await writePart(key, 0, piece(0));
      } catch (error) {
        if (!isConditionFailure(error)) throw error; // a more recent answer is there
      }
    },
  };

  function isFresh(asOf: Instant, now: Instant): boolean {
    return asOf > now - lifetimeMs;
  }
}

const indices = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

const compress = (text: string): Buffer =>
  zstdCompressSync(text, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });

function decompress(bytes: Uint8Array): string | null {
  try {
    return zstdDecompressSync(bytes).toString("utf8");
  } catch {
    return null;
  }
}
