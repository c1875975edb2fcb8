import type { ConversionEvent } from "../../domain/conversion/event";
import { conversionFactOf } from "../../domain/conversion/facts";
import type { LinkStatus } from "../../domain/identity/link";
import type { Clock } from "../../ports/clock";
import type { LinkLog, Settlement } from "../../ports/links";
import type { FactLog } from "../analytics/facts";
import { eventKey } from "../conversion/conversion-keys";
import { toItem } from "../conversion/conversions-item";
import { outboxWrite } from "../conversion/outbox";
import type { Dynamo } from "../dynamo";
import { refusedItems, type TransactItem, transact } from "../transact";
import { identityWrites } from "./identity-writes";
import { type LinkTables, lookUpEnd } from "./pending-links";

/** The item that tells the receipt of a conversion what became of its link; none where no receipt is kept. */
export type ReceiptLink = (event: ConversionEvent, status: LinkStatus) => TransactItem[];

export interface LinkLogDependencies {
  readonly dynamo: Dynamo;
  readonly tables: LinkTables;
  readonly facts: Pick<FactLog, "conversionWrites">;
  readonly receiptLink: ReceiptLink;
  readonly clock: Clock;
}

/**
 * Settles pending links. The transaction is the event as it is from now on (put only while its link is pending), what
 * becomes known by it, the end of the look-up, its receipt's line and, where the sale was moved, the fact that
 * supersedes the one before and an outbox entry: the relay notes that the new visit was no bounce and announces the move.
 */
export function createLinkLog(dependencies: LinkLogDependencies): LinkLog {
  const { dynamo, tables, receiptLink } = dependencies;

  async function settle({ before, after, changes }: Settlement): ReturnType<LinkLog["settle"]> {
    const known = identityWrites(tables.identity, before.site, changes);
    const rest = [
      ...lookUpEnd(tables, before),
      ...(after.link ? receiptLink(after, after.link.status) : []),
      ...(await moveWrites(dependencies, before, after)),
    ];
    try {
      await transact(dynamo, [eventPut(tables.identity, before, after), ...known.items, ...rest]);
      return "settled";
    } catch (error) {
      const refused = refusedItems(error);
      if (refused.length === 0) throw error;
      if (refused.includes(0)) return "gone";
      const attached = known.refused(refused.map((place) => place - 1));
      return attached ? settle({ before, after, changes: attached }) : "stale";
    }
  }
  return { settle };
}

function eventPut(table: string, before: ConversionEvent, after: ConversionEvent): TransactItem {
  return {
    Put: {
      TableName: table,
      Item: { ...eventKey(after.site, after.id), ...toItem(after) },
      ConditionExpression: "#link.#status = :pending AND #version = :version",
      ExpressionAttributeNames: { "#link": "link", "#status": "status", "#version": "version" },
      ExpressionAttributeValues: { ":pending": "pending", ":version": before.version },
    },
  };
}

async function moveWrites(
  { tables, facts, clock }: LinkLogDependencies,
  before: ConversionEvent,
  after: ConversionEvent,
): Promise<TransactItem[]> {
  if (after.version === before.version) return [];
  return [
    ...(await facts.conversionWrites(after.site, [conversionFactOf(after)])),
    outboxWrite(tables.deliveries, after, clock()),
  ];
}
