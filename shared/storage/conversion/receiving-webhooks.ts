import { timingSafeEqual } from "node:crypto";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { hashSecret, parseToken } from "../../domain/conversion/receiving-webhook";
import type { ReceivingWebhookDirectory } from "../../ports/receiving-webhooks";
import type { Dynamo } from "../dynamo";
import { receivingWebhookKey } from "./receiving-webhook-keys";
import { itemSchema, toWebhook } from "./receiving-webhooks-item";

/** Finds receiving webhooks by their secret URL: one consistent read, so that a deleted URL is dead at once (rule 12). */
export function createReceivingWebhookDirectory(dynamo: Dynamo, table: string): ReceivingWebhookDirectory {
  return {
    async findByToken(text) {
      const token = parseToken(text);
      if (!token) return null;
      const { Item } = await dynamo.send(
        new GetCommand({
          TableName: table,
          Key: receivingWebhookKey(token.site, token.id),
          ConsistentRead: true,
        }),
      );
      if (!Item) return null;
      const item = itemSchema.parse(Item);
      return sameHash(hashSecret(token.secret), item.secret_hash) ? toWebhook(item) : null;
    },
  };
}

const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
