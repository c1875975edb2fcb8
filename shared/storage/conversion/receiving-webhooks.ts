import { timingSafeEqual } from "node:crypto";
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { eventKind } from "../../domain/conversion/event-type";
import {
  formatToken,
  hashSecret,
  newSecret,
  parseToken,
  type ReceivingWebhook,
  urlPreview,
} from "../../domain/conversion/receiving-webhook";
import { ApiError } from "../../domain/errors";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Clock } from "../../ports/clock";
import type { ReceivingWebhookDirectory } from "../../ports/receiving-webhooks";
import type { Dynamo } from "../dynamo";
import { receivingWebhookKey } from "./receiving-webhook-keys";

const itemSchema = z.object({
  id: z.string(),
  workspace: z.number(),
  site: z.number(),
  name: z.string(),
  event_type: z.string(),
  forward_to_ads: z.boolean(),
  secret_hash: z.string(),
  url_preview: z.string(),
  created: z.number(),
});

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

export interface NewReceivingWebhook {
  readonly workspace: number;
  readonly site: number;
  /** Free label, trimmed, 1 to 100 characters. */
  readonly name: string;
  /** `Lead`, `Schedule`, `Purchase` or a custom event name. */
  readonly eventType: string;
  readonly forwardToAds?: boolean;
}

/**
 * Creates a receiving webhook. The answer's `token`, the last part of its URL, is nowhere else: show it now.
 * Throws BAD_REQUEST for a name or an event type that will not do. The site is the caller's to check.
 */
export async function createReceivingWebhook(
  { dynamo, table, clock, random }: { dynamo: Dynamo; table: string; clock: Clock; random: RandomBytes },
  wanted: NewReceivingWebhook,
): Promise<{ webhook: ReceivingWebhook; token: string }> {
  const event = eventKind(wanted.eventType);
  const name = wanted.name.trim();
  if (!event)
    throw new ApiError("BAD_REQUEST", "event_type must be Lead, Schedule, Purchase or a custom name.");
  if (name === "" || name.length > 100)
    throw new ApiError("BAD_REQUEST", "name must have 1 to 100 characters.");
  const created = clock();
  const id = newId("whin", created, random);
  const secret = newSecret(random);
  const item: z.infer<typeof itemSchema> = {
    id,
    workspace: wanted.workspace,
    site: wanted.site,
    name,
    event_type: event.name,
    forward_to_ads: wanted.forwardToAds ?? false,
    secret_hash: hashSecret(secret),
    url_preview: urlPreview(secret),
    created,
  };
  await dynamo.send(
    new PutCommand({
      TableName: table,
      Item: { ...receivingWebhookKey(wanted.site, id), ...item },
      ConditionExpression: "attribute_not_exists(pk)",
    }),
  );
  return { webhook: toWebhook(item), token: formatToken({ site: wanted.site, id, secret }) };
}

function toWebhook(item: z.infer<typeof itemSchema>): ReceivingWebhook {
  const event = eventKind(item.event_type);
  if (!event) throw new Error(`receiving webhook ${item.id} has an event type that cannot be`);
  return {
    id: item.id,
    workspace: item.workspace,
    site: item.site,
    name: item.name,
    event,
    forwardToAds: item.forward_to_ads,
    urlPreview: item.url_preview,
    created: item.created,
  };
}

const sameHash = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
