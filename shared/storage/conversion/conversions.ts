import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { claimOf } from "../../domain/conversion/claim";
import type { ConversionEvent } from "../../domain/conversion/event";
import { conversionFactOf } from "../../domain/conversion/facts";
import type { IdentityChange } from "../../domain/identity/changes";
import type { ReceiptDraft } from "../../domain/receipts/receipt";
import type { ConversionLog, ConversionReader, Recorded } from "../../ports/conversions";
import type { FactLog } from "../analytics/facts";
import type { Dynamo } from "../dynamo";
import { identityWrites } from "../identity/identity-writes";
import { type LinkTables, lookUpWrites } from "../identity/pending-links";
import { refusedItems, type TransactItem, transact } from "../transact";
import { claimKey, eventKey } from "./conversion-keys";
import { fromItem, toItem } from "./conversions-item";
import { outboxWrite } from "./outbox";

/**
 * Something that must follow from every conversion: the items it adds to the event's transaction. A new consequence
 * (deliveries, identity) is a new writer, and the transaction stays one.
 */
export type ConversionWriter = (
  event: ConversionEvent,
  receipt?: ReceiptDraft,
) => TransactItem[] | Promise<TransactItem[]>;

/**
 * Facts: the conversion is in the figures as soon as it is recorded. That its visit was no bounce is left to the relay:
 * it often concerns a quarter already closed, whose marker every transaction of a busy site would then collide at.
 */
export const factsWriter =
  (facts: Pick<FactLog, "conversionWrites">): ConversionWriter =>
  (event) =>
    facts.conversionWrites(event.site, [conversionFactOf(event)]);

/** The outbox: the conversion is announced, whatever happens to the function after the commit. */
export const outboxWriter =
  (table: string): ConversionWriter =>
  (event) => [outboxWrite(table, event, event.at)];

/** The look-up of a person not known yet; nothing where no link is pending. */
export const linkWriter =
  (tables: LinkTables): ConversionWriter =>
  (event) =>
    lookUpWrites(tables, event);

/**
 * Records conversions (invariant 3). The transaction is the event, its duplicate claim where it has an e-mail, what
 * becomes known by it, and what each writer adds. Event and claim are put only where there is none:
 * - the event is there already: an earlier try of ours took effect although its answer was lost. Accepted.
 * - the claim is another event's: a duplicate. Nothing is written; the answer names the event that counts.
 * Any other failed condition is of something that became known meanwhile. That a visitor is attached to an e-mail by
 * a visit as late is what was wanted: it is left out, and the rest sent again.
 */
export function createConversionLog(
  dynamo: Dynamo,
  table: string,
  writers: readonly ConversionWriter[],
): ConversionLog {
  async function record(
    event: ConversionEvent,
    changes: readonly IdentityChange[],
    receipt?: ReceiptDraft,
  ): Promise<Recorded | null> {
    const consequences = (await Promise.all(writers.map((write) => write(event, receipt)))).flat();
    const own = eventAndClaim(table, event);
    const known = identityWrites(table, event.site, changes);
    try {
      await transact(dynamo, [...own, ...known.items, ...consequences]);
      return { outcome: "accepted", event: event.id };
    } catch (error) {
      const refused = refusedItems(error);
      const settled = alreadySettled(error, event);
      if (settled) return settled;
      if (refused.length === 0) throw error;
      const attached = known.refused(refused.map((index) => index - own.length));
      return attached ? record(event, attached, receipt) : null;
    }
  }
  return { record };
}

function eventAndClaim(table: string, event: ConversionEvent): TransactItem[] {
  const claim = claimOf(event);
  const eventPut: TransactItem = {
    Put: {
      TableName: table,
      Item: { ...eventKey(event.site, event.id), ...toItem(event) },
      ConditionExpression: "attribute_not_exists(pk)",
    },
  };
  if (!claim) return [eventPut];
  const claimPut: TransactItem = {
    Put: {
      TableName: table,
      Item: {
        ...claimKey(claim),
        event: event.id,
        ...(claim.expiresAt === null ? {} : { ttl: Math.ceil(claim.expiresAt / 1_000) }),
      },
      ConditionExpression: "attribute_not_exists(pk)",
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    },
  };
  return [eventPut, claimPut];
}

/** A cancellation's reasons stand in the order of the transaction's items; the items in them are not unmarshalled. */
interface Cancellation {
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: unknown }[];
}

function alreadySettled(error: unknown, event: ConversionEvent): Recorded | null {
  if (!(error instanceof Error) || error.name !== "TransactionCanceledException") return null;
  const [ofEvent, ofClaim] = (error as Cancellation).CancellationReasons ?? [];
  if (ofEvent?.Code === "ConditionalCheckFailed") return { outcome: "accepted", event: event.id };
  if (ofClaim?.Code !== "ConditionalCheckFailed") return null;
  const first = (ofClaim.Item as { event?: { S?: string } } | undefined)?.event?.S;
  if (first === undefined) return null;
  return first === event.id ? { outcome: "accepted", event: event.id } : { outcome: "deduped", event: first };
}

/** Reads recorded conversions, consistently. */
export function createConversionReader(dynamo: Dynamo, table: string): ConversionReader {
  return {
    async find(site, event) {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: eventKey(site, event), ConsistentRead: true }),
      );
      return Item ? fromItem(Item) : null;
    },
  };
}
