import { bucketId, type Level } from "../../../shared/domain/analytics/bucket";
import { DAY } from "../../../shared/domain/instant";
import { headPartition, partPartition } from "../../../shared/storage/analytics/cube-keys";
import { factRange } from "../../../shared/storage/analytics/fact-keys";
import { queryAll } from "../../../shared/storage/query";
import { analyticsOver } from "../../support/analytics";
import type { Engine } from "../../support/engine";

/** Bytes of a facet's cubes by level, and the items they lie in. */
export type StoredCubes = { readonly facet: string; readonly items: number } & Readonly<
  Record<Level, number>
>;

const LEVELS: readonly Level[] = ["quarter", "day", "month"];

/** Bytes of all blocks and conversions of a site. */
export async function storedFacts({ dynamo, tables }: Engine, site: number) {
  const { facts } = analyticsOver({ tables }, dynamo, Date.now);
  let [factItems, factBytes] = [0, 0];
  for (const day of await facts.days(site)) {
    const { pk, from, to } = factRange(site, day, day + DAY);
    const items = await queryAll(dynamo, {
      TableName: tables.Facts,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
    });
    factItems += items.length;
    for (const { block, fact } of items) {
      factBytes += block instanceof Uint8Array ? block.length : JSON.stringify(fact).length;
    }
  }
  return { factItems, factBytes };
}

/** Bytes of all cubes of a site, facet by facet. */
export async function storedCubes({ dynamo, tables }: Engine, site: number): Promise<StoredCubes[]> {
  const { facetsOf } = analyticsOver({ tables }, dynamo, Date.now);
  const stored: StoredCubes[] = [];
  for (const { name } of (await facetsOf(site)).facets) {
    const sum = { facet: name, items: 0, quarter: 0, day: 0, month: 0 };
    for (const level of LEVELS) {
      for (const pk of [headPartition(site, name), partPartition(site, name)]) {
        const items = await queryAll(dynamo, {
          TableName: tables.Cubes,
          KeyConditionExpression: "pk = :pk AND begins_with(sk, :level)",
          ExpressionAttributeValues: { ":pk": pk, ":level": bucketId({ level, start: 0 }).charAt(0) },
        });
        sum.items += items.length;
        for (const { cube, part } of items) sum[level] += sizeOf(cube) + sizeOf(part);
      }
    }
    stored.push(sum);
  }
  return stored;
}

const sizeOf = (value: unknown): number => (value instanceof Uint8Array ? value.length : 0);
