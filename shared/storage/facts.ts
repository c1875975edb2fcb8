import { PutCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { decodeBlock, encodeBlock, quarterOf, splitIntoBlocks } from "../domain/analytics/block";
import type { Bucket } from "../domain/analytics/bucket";
import type { ConversionFact, EngagementFact, Fact, TrafficFact } from "../domain/analytics/fact";
import { isOpen } from "../domain/analytics/sealing";
import { newId, type RandomBytes } from "../domain/ids";
import { DAY, type Instant } from "../domain/instant";
import type { FactReader } from "../ports/analytics";
import type { Clock } from "../ports/clock";
import type { FactSink } from "../ports/facts";
import type { Dynamo } from "./dynamo";
import {
  blockKey,
  conversionKey,
  dayIndexKey,
  dayIndexPartition,
  dayOfIndexKey,
  factRange,
  quarterOfFactKey,
} from "./keys/facts";
import { markUpdate, openMarks, type TransactItem } from "./markers";
import { queryAll } from "./query";
import { chunks, transact } from "./transact";

/** Appends facts under the marker protocol. */
export interface FactLog extends FactSink {
  /**
   * The items that append these facts, to be part of the caller's transaction; call it right before sending that.
   * Quarters still open are marked by this call itself (once per instance, so usually for nothing); for a quarter
   * already closed a marker update is among the items, so that marker and fact appear as one.
   */
  conversionWrites(
    site: number,
    facts: readonly (ConversionFact | EngagementFact)[],
  ): Promise<TransactItem[]>;
}

interface Dependencies {
  readonly dynamo: Dynamo;
  readonly table: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** A transaction holds 4 MB. */
const BLOCKS_PER_TRANSACTION = 10;

/** The fact log over the Facts table. One instance per function instance: it remembers what it has marked. */
export function createFactLog({ dynamo, table, clock, random }: Dependencies): FactLog {
  const markOpen = openMarks(dynamo, table, random);
  const indexedDays = new Set<string>();

  /** Notes that a day has facts, before the first of them, so that a rebuild finds it. */
  async function indexDay(site: number, at: Instant): Promise<void> {
    const key = dayIndexKey(site, at);
    const name = `${key.pk} ${key.sk}`;
    if (indexedDays.has(name)) return;
    await dynamo.send(new PutCommand({ TableName: table, Item: key }));
    if (indexedDays.size > 10_000) indexedDays.clear();
    indexedDays.add(name);
  }

  /** Makes a quarter ready for facts; answers whether the facts' own write must carry the mark (the quarter is closed). */
  async function prepare(site: number, quarter: Bucket, now: Instant): Promise<boolean> {
    const open = isOpen(quarter, now);
    await Promise.all([indexDay(site, quarter.start), open ? markOpen(site, quarter, now) : undefined]);
    return !open;
  }

  const putOf = (site: number, quarter: Bucket, now: Instant, facts: readonly TrafficFact[]) => ({
    TableName: table,
    Item: {
      ...blockKey(site, quarter.start, newId("blk", now, random)),
      block: encodeBlock(facts),
    },
  });

  async function appendQuarter(site: number, quarter: Bucket, facts: readonly TrafficFact[]): Promise<void> {
    const now = clock();
    const late = await prepare(site, quarter, now);
    const puts = splitIntoBlocks(facts).map((block) => putOf(site, quarter, now, block));
    if (!late) {
      await Promise.all(puts.map((put) => dynamo.send(new PutCommand(put))));
      return;
    }
    // One after the other: transactions that mark the same quarter at once would only conflict.
    for (const some of chunks(puts, BLOCKS_PER_TRANSACTION)) {
      await transact(dynamo, [
        ...some.map((put) => ({ Put: put })),
        { Update: markUpdate(table, site, quarter, now, random) },
      ]);
    }
  }

  return {
    async append(site, facts) {
      await Promise.all(byQuarter(facts).map(({ quarter, facts }) => appendQuarter(site, quarter, facts)));
    },

    async conversionWrites(site, facts) {
      const now = clock();
      const items = await Promise.all(
        byQuarter(facts).map(async ({ quarter, facts }): Promise<TransactItem[]> => {
          const late = await prepare(site, quarter, now);
          return [
            ...facts.map(
              (fact): TransactItem => ({
                Put:
                  fact.kind === "conversion"
                    ? {
                        TableName: table,
                        Item: {
                          ...conversionKey(site, quarter.start, fact),
                          fact,
                        },
                      }
                    : putOf(site, quarter, now, [fact]),
              }),
            ),
            ...(late ? [{ Update: markUpdate(table, site, quarter, now, random) }] : []),
          ];
        }),
      );
      return items.flat();
    },
  };
}

function byQuarter<F extends Fact>(facts: readonly F[]): { quarter: Bucket; facts: F[] }[] {
  const groups = Map.groupBy(facts, (fact) => quarterOf(fact).start);
  return [...groups].map(([start, facts]) => ({
    quarter: { level: "quarter", start },
    facts,
  }));
}

/** Reads facts back from the Facts table. */
export function createFactReader(dynamo: Dynamo, table: string): FactReader {
  const range = (site: number, from: Instant, to: Instant): QueryCommandInput => {
    const keys = factRange(site, from, to);
    return {
      TableName: table,
      KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
      ExpressionAttributeValues: {
        ":pk": keys.pk,
        ":from": keys.from,
        ":to": keys.to,
      },
      ConsistentRead: true,
    };
  };
  return {
    async read(site, from, to, signal) {
      const items = await queryAll(dynamo, range(site, from, to), signal);
      const quarters = new Map<Instant, Fact[]>();
      for (const item of items) {
        const start = quarterOfFactKey(String(item.pk), String(item.sk));
        const facts = quarters.get(start) ?? [];
        if (item.block instanceof Uint8Array) facts.push(...decodeBlock(item.block));
        else facts.push(item.fact as ConversionFact);
        quarters.set(start, facts);
      }
      return quarters;
    },
    async days(site) {
      const items = await queryAll(dynamo, {
        TableName: table,
        KeyConditionExpression: "pk = :pk",
        ExpressionAttributeValues: { ":pk": dayIndexPartition(site) },
        ConsistentRead: true,
      });
      return items.map((item) => dayOfIndexKey({ sk: String(item.sk) }));
    },
    async quarters(site, day) {
      const items = await queryAll(dynamo, {
        ...range(site, day, day + DAY),
        ProjectionExpression: "pk, sk",
      });
      return [...new Set(items.map((item) => quarterOfFactKey(String(item.pk), String(item.sk))))];
    },
  };
}
