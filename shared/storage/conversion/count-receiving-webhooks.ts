import { MAX_RECEIVING_WEBHOOKS } from "../../domain/conversion/receiving-webhook";
import { ApiError } from "../../domain/errors";
import type { Write } from "../access/config-table";
import { receivingWebhookCountKey } from "./receiving-webhook-keys";

/**
 * Part of the transaction that creates a webhook: a site has {@link MAX_RECEIVING_WEBHOOKS} at most, however many are created at
 * the same time. Throws CONFLICT.
 */
export const oneMore = (table: string, site: number): Write => ({
  action: {
    Update: {
      TableName: table,
      Key: receivingWebhookCountKey(site),
      UpdateExpression: "ADD #count :one",
      ConditionExpression: "attribute_not_exists(#count) OR #count < :most",
      ExpressionAttributeNames: { "#count": "count" },
      ExpressionAttributeValues: { ":one": 1, ":most": MAX_RECEIVING_WEBHOOKS },
    },
  },
  otherwise: () =>
    new ApiError(
      "CONFLICT",
      `The site has ${MAX_RECEIVING_WEBHOOKS} receiving webhooks, which is the most. Delete one first.`,
    ),
});

/** Part of the transaction that deletes one. */
export const oneLess = (table: string, site: number): Write => ({
  action: {
    Update: {
      TableName: table,
      Key: receivingWebhookCountKey(site),
      UpdateExpression: "ADD #count :less",
      ExpressionAttributeNames: { "#count": "count" },
      ExpressionAttributeValues: { ":less": -1 },
    },
  },
});
