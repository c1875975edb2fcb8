import { PutCommand, QueryCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { DAY } from "../../domain/instant";
import {
  LINK_STATUSES,
  type LinkStatus,
  OUTCOMES,
  type Receipt,
  receiptIdOf,
  SHOWN,
} from "../../domain/receipts/receipt";
import type { ReceiptLog, ReceiptReader } from "../../ports/receipts";
import type { Dynamo } from "../dynamo";
import { retryPassing, type TransactItem } from "../transact";
import type { ConversionWriter } from "./conversions";
import { receiptKey, receiptsPartition } from "./receipt-keys";

/** How long receipts are kept, however few there are. */
const KEPT = 30 * DAY;

const itemSchema = z.object({
  id: z.string(),
  site: z.number(),
  webhook: z.string(),
  at: z.number(),
  outcome: z.enum(OUTCOMES),
  preview: z.string(),
  event: z.string().nullable(),
  matched_by: z.enum(["visitor_id", "click_id", "email"]).nullable(),
  link: z.enum(LINK_STATUSES).nullable(),
});

function receiptPut(table: string, receipt: Receipt) {
  const { matchedBy, ...same } = receipt;
  const item: z.input<typeof itemSchema> = { ...same, matched_by: matchedBy };
  const ttl = Math.ceil((receipt.at + KEPT) / 1_000);
  const key = receiptKey(receipt.site, receipt.webhook, receipt.id);
  return { TableName: table, Item: { ...key, ...item, ttl } };
}

/** The receipt of an accepted delivery: logged with its event or not at all. Other sources' events have none. */
export const receiptWriter =
  (table: string): ConversionWriter =>
  ({ id, site, via, at, match, link }, draft) =>
    draft
      ? [
          {
            Put: receiptPut(table, {
              id: receiptIdOf(id),
              ...{ site, webhook: via, at },
              outcome: "accepted",
              preview: draft.preview,
              event: id,
              matchedBy: match?.by ?? null,
              link: link?.status ?? null,
            }),
          },
        ]
      : [];

/**
 * What becomes of a delivery's existing e-mail, to be part of the transaction that decides it. Without a condition: that a
 * receipt is gone must not keep a sale from its person.
 */
export const receiptLink = (
  table: string,
  site: number,
  webhook: string,
  receipt: string,
  status: LinkStatus,
): TransactItem => ({
  Update: {
    TableName: table,
    Key: receiptKey(site, webhook, receipt),
    UpdateExpression: "SET #link = :status",
    ExpressionAttributeNames: { "#link": "link" },
    ExpressionAttributeValues: { ":status": status },
  },
});

/** Receipts in the Deliveries table. What is read of them is bounded, however many there are. */
export function createReceiptLog(dynamo: Dynamo, table: string): ReceiptLog & ReceiptReader {
  return {
    async write(receipt) {
      await retryPassing(() => dynamo.send(new PutCommand(receiptPut(table, receipt))));
    },
    async latest(site, webhook) {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: "pk = :pk",
          ExpressionAttributeValues: { ":pk": receiptsPartition(site, webhook) },
          ScanIndexForward: false,
          Limit: SHOWN,
          ConsistentRead: true,
        }),
      );
      // A link's status that came after its receipt had expired is no receipt.
      return Items.filter((item) => item.outcome !== undefined).map(fromItem);
    },
  };
}

function fromItem(stored: unknown): Receipt {
  const { matched_by: matchedBy, ...same } = itemSchema.parse(stored);
  return { ...same, matchedBy };
}
