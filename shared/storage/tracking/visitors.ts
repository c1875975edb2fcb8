import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import type { Sighting, VisitorRegistry } from "../../ports/visitor-registry";
import type { Visitor } from "../../ports/visitors";
import { batchGet, MOST_GETS } from "../batch-get";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { settleAll } from "../settle";
import { chunks } from "../transact";
import { fromVisitorItem, toVisitorItem } from "./visitor-items";
import { visitorKey } from "./visitor-keys";
import type { VisitorNumbers } from "./visitor-numbers";

const WIDTH = 16;
/** Visitors an instance remembers: most hits come from visitors seen a minute ago. About 300 bytes each. */
const REMEMBERED = 20_000;

/** The visitors of the Identity table. One instance per function instance: it remembers visitors, which never change. */
export function createVisitorRegistry(
  dynamo: Dynamo,
  table: string,
  numbers: VisitorNumbers,
): VisitorRegistry {
  const known = new Map<string, Visitor>();
  const nameOf = ({ site, evid }: Sighting): string => visitorKey(site, evid).pk;

  function remember(name: string, visitor: Visitor): Visitor {
    known.delete(name);
    known.set(name, visitor);
    const oldest = known.size > REMEMBERED ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
    return visitor;
  }

  async function load(sightings: readonly Sighting[]): Promise<void> {
    const items = await batchGet(
      dynamo,
      table,
      sightings.map(({ site, evid }) => visitorKey(site, evid)),
    );
    for (const item of items) remember(String(item.pk), fromVisitorItem(item));
  }

  /** The loser of a race to create a visitor takes the winner's; its own number is never used. */
  async function create({ site, evid, visit }: Sighting, number: number): Promise<Visitor> {
    const visitor: Visitor = { evid, number, firstVisit: visit };
    const key = visitorKey(site, evid);
    try {
      await dynamo.send(
        new PutCommand({
          TableName: table,
          Item: { ...key, ...toVisitorItem(visitor) },
          ConditionExpression: "attribute_not_exists(pk)",
        }),
      );
      return visitor;
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: key, ConsistentRead: true }),
      );
      if (Item === undefined) throw error;
      return fromVisitorItem(Item);
    }
  }

  async function numbered(sightings: readonly Sighting[]): Promise<Map<Sighting, number>> {
    const assigned = new Map<Sighting, number>();
    const perSite = Map.groupBy(sightings, ({ site }) => site);
    await settleAll([...perSite], WIDTH, async ([site, some]) => {
      const taken = await numbers.take(site, some.length);
      for (const [i, sighting] of some.entries()) assigned.set(sighting, taken[i] ?? Number.NaN);
    });
    return assigned;
  }

  return {
    async resolve(sightings) {
      const unknown = sightings.filter((sighting) => !known.has(nameOf(sighting)));
      // A failed read leaves its visitors unknown; creating them then finds those that exist.
      await settleAll(chunks(unknown, MOST_GETS), WIDTH, load);
      const resolved = new Map(sightings.map((sighting) => [sighting, known.get(nameOf(sighting))]));
      const assigned = await numbered(sightings.filter((sighting) => resolved.get(sighting) === undefined));
      return settleAll(sightings, WIDTH, async (sighting) => {
        const visitor = resolved.get(sighting);
        if (visitor !== undefined) return visitor;
        const number = assigned.get(sighting);
        if (number === undefined) throw new Error("no visitor number could be leased");
        return remember(nameOf(sighting), await create(sighting, number));
      });
    },
  };
}
