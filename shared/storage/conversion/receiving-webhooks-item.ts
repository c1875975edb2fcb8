import * as z from "zod";
import { eventKind } from "../../domain/conversion/event-type";
import type { ReceivingWebhook } from "../../domain/conversion/receiving-webhook";

/** A receiving webhook as an item of the Config table. */
export const itemSchema = z.object({
  id: z.string(),
  workspace: z.number(),
  site: z.number(),
  name: z.string(),
  event_type: z.string(),
  forward_to_ads: z.boolean(),
  /** What the URL is recognised by. */
  secret_hash: z.string(),
  created: z.number(),
});

/** With what the URL is shown again from; recognising it needs none. */
export const itemWithSecretSchema = itemSchema.extend({ sealed_secret: z.string() });

export function toWebhook(item: z.output<typeof itemSchema>): ReceivingWebhook {
  const event = eventKind(item.event_type);
  if (!event) throw new Error(`receiving webhook ${item.id} has an event type that cannot be`);
  const { id, workspace, site, name, created } = item;
  return { id, workspace, site, name, event, forwardToAds: item.forward_to_ads, created };
}
