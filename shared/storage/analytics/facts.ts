import { PutCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { decodeBlock, encodeBlock, quarterOf, splitIntoBlocks } from "../../domain/analytics/block";
import type { Bucket } from "../../domain/analytics/bucket";
import type { ConversionFact, EngagementFact, Fact, TrafficFact } from "../../domain/analytics/fact";
import { isOpen } from "../../domain/analytics/sealing";
import { newId, type RandomBytes } from "../../domain/ids";
import { DAY, type Instant } from "../../domain/instant";
import type { FactReader } from "../../ports/analytics";
import type { Clock } from "../../ports/clock";
import type { FactSink } from "../../ports/facts";
import type { Dynamo } from "../dynamo";
import { queryAll } from "../query";
import { allDone } from "../settle";
import type { TransactItem } from "../transact";
import {
  blockKey,
  conversionKey,
  dayIndexKey,
  dayIndexPartition,
  dayOfIndexKey,
  factRange,
  quarterOfFactKey,
} from "./fact-keys";
import { createMark, markWithFacts, onceEach } from "./markers";

/** Appends facts under the marker protocol. */
export interface FactLog extends FactSink {
  /**
   * The items that append these facts, to be part of the caller's transaction; call it right before sending that.
   * Quarters still open are marked by this call itself (once per instance, so usually for nothing); for a quarter
   * already closed a mark is among the items, so that no fact is without.
   */
  conversionWrites(
    site: number,
    facts: readonly (ConversionFact | EngagementFact)[],
  ): Promise<TransactItem[]>;
  /** Marks the quarter that holds `at`, where it is still open, so that {@link conversionWrites} has nothing to wait for. */
  expect(site: number, at: Instant): Promise<void>;
}

interface Dependencies {
  readonly dynamo: Dynamo;
  readonly table: string;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** The fact log over the Facts table. One instance per function instance: it remembers what it has marked. */
export function createFactLog({ dynamo, table, clock, random }: Dependencies): FactLog {
  const mark = createMark(dynamo, table, random);
  const markOpen = onceEach(mark);
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

  const putOf = (site: number, quarter: Bucket, now: Instant, facts: readonly TrafficFact[]) => ({
    TableName: table,
    Item: {
      ...blockKey(site, quarter.start, newId("blk", now, random)),
      block: encodeBlock(facts),
    },
  });

  /**
   * A closed quarter is marked again after its facts: a sealer may have read them in between, and would otherwise
   * remove the first mark without having seen them. The first is for a crash in between.
   */
  async function appendQuarter(site: number, quarter: Bucket, facts: readonly TrafficFact[]): Promise<void> {
    const now = clock();
    const open = isOpen(quarter, now);
    await allDone([indexDay(site, quarter.start), (open ? markOpen : mark)(site, quarter, now)]);
    const puts = splitIntoBlocks(facts).map((block) => putOf(site, quarter, now, block));
    await allDone(puts.map((put) => dynamo.send(new PutCommand(put))));
    if (!open) await mark(site, quarter, now);
  }

  const prepare = (site: number, quarter: Bucket, now: Instant): Promise<void> =>
    allDone([indexDay(site, quarter.start), ...(isOpen(quarter, now) ? [markOpen(site, quarter, now)] : [])]);

  /** The items that append facts of one quarter. */
  async function quarterWrites(
    site: number,
    quarter: Bucket,
    facts: readonly (ConversionFact | EngagementFact)[],
  ): Promise<TransactItem[]> {
    const now = clock();
    const open = isOpen(quarter, now);
    await prepare(site, quarter, now);
    const puts = facts.map((fact) =>
      fact.kind === "conversion"
        ? { TableName: table, Item: { ...conversionKey(site, quarter.start, fact), fact } }
        : putOf(site, quarter, now, [fact]),
    );
    return [
      ...puts.map((put) => ({ Put: put })),
      ...(open ? [] : [{ Update: markWithFacts(table, site, quarter, now, random) }]),
    ];
  }

  return {
    append: (site, facts) =>
      allDone(byQuarter(facts).map(({ quarter, facts }) => appendQuarter(site, quarter, facts))),

    async conversionWrites(site, facts) {
      const items = await Promise.all(
        byQuarter(facts).map(({ quarter, facts }) => quarterWrites(site, quarter, facts)),
      );
      return items.flat();
    },

    expect: (site, at) => prepare(site, quarterOf({ at }), clock()),
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
