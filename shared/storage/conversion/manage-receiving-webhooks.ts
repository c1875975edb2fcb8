import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type * as z from "zod";
import { eventKind } from "../../domain/conversion/event-type";
import {
  formatToken,
  hashSecret,
  newSecret,
  type ReceivingWebhook,
} from "../../domain/conversion/receiving-webhook";
import { ApiError } from "../../domain/errors";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Clock } from "../../ports/clock";
import { SealBroken, type SecretBox } from "../../ports/secret-box";
import { type ConfigTable, listItems, type Write, writeTogether } from "../access/config-table";
import { isConditionFailure } from "../dynamo";
import { settleAll } from "../settle";
import { retryPassing } from "../transact";
import { oneLess, oneMore } from "./count-receiving-webhooks";
import { customEventRelease, customEventUse } from "./custom-events";
import {
  RECEIVING_WEBHOOK_PREFIX,
  receivingWebhookKey,
  receivingWebhooksPartition,
} from "./receiving-webhook-keys";
import { itemWithSecretSchema, toWebhook } from "./receiving-webhooks-item";

/** A receiving webhook with the last part of its secret URL, for members who may see it. */
export interface ShownWebhook {
  readonly webhook: ReceivingWebhook;
  /** Null when the key that sealed it is lost: the URL goes on working, but is known only where it was pasted. */
  readonly token: string | null;
}

export interface WebhookTable extends ConfigTable {
  readonly secrets: SecretBox;
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

/** How many secrets are asked for at a time. */
const OPENED_TOGETHER = 20;

const sealedFor = (site: number, id: string) => ({
  purpose: "receiving-webhook",
  site: String(site),
  webhook: id,
});

/**
 * Creates a receiving webhook; a custom name becomes a custom event of the site in the same transaction. Throws BAD_REQUEST for
 * a name or an event type that will not do, CONFLICT when the site has as many as it may. The site is the caller's to check.
 */
export async function createReceivingWebhook(
  { dynamo, table, secrets, clock, random }: WebhookTable & { clock: Clock; random: RandomBytes },
  wanted: NewReceivingWebhook,
): Promise<ShownWebhook & { readonly token: string }> {
  const event = eventKind(wanted.eventType);
  const name = wanted.name.trim();
  if (!event)
    throw new ApiError("BAD_REQUEST", "event_type must be Lead, Schedule, Purchase or a custom name.");
  if (name === "" || name.length > 100)
    throw new ApiError("BAD_REQUEST", "name must have 1 to 100 characters.");
  const created = clock();
  const { workspace, site, forwardToAds = false } = wanted;
  const id = newId("whin", created, random);
  const secret = newSecret(random);
  const item: z.input<typeof itemWithSecretSchema> = {
    ...{ id, workspace, site, name, created },
    event_type: event.name,
    forward_to_ads: forwardToAds,
    secret_hash: hashSecret(secret),
    sealed_secret: await secrets.seal(secret, sealedFor(site, id)),
  };
  const put: Write = {
    action: {
      Put: {
        TableName: table,
        Item: { ...receivingWebhookKey(site, id), ...item },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
  };
  const use: Write[] =
    event.type === "Custom" ? [{ action: customEventUse(table, site, event.name, id, created) }] : [];
  await writeTogether({ dynamo, table }, [put, oneMore(table, site), ...use]);
  return { webhook: toWebhook(item), token: formatToken({ site, id, secret }) };
}

/** A site's receiving webhooks, oldest first. */
export async function listReceivingWebhooks(table: WebhookTable, site: number): Promise<ShownWebhook[]> {
  const items = await listItems(table, receivingWebhooksPartition(site), RECEIVING_WEBHOOK_PREFIX);
  const shown = await settleAll(items, OPENED_TOGETHER, (item) => show(table, item));
  return shown.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Throws NOT_FOUND. */
export async function findReceivingWebhook(
  table: WebhookTable,
  site: number,
  id: string,
): Promise<ShownWebhook> {
  const { Item } = await table.dynamo.send(
    new GetCommand({ TableName: table.table, Key: receivingWebhookKey(site, id), ConsistentRead: true }),
  );
  if (!Item) throw new ApiError("NOT_FOUND");
  return show(table, Item);
}

/** Renames a webhook, switches its forwarding, or both. Its event type is fixed. Throws NOT_FOUND. */
export async function updateReceivingWebhook(
  table: WebhookTable,
  site: number,
  id: string,
  { name, forwardToAds }: Partial<Pick<ReceivingWebhook, "name" | "forwardToAds">>,
): Promise<ShownWebhook> {
  const changes = Object.entries({ name, forward_to_ads: forwardToAds }).filter(([, to]) => to !== undefined);
  if (changes.length === 0) return findReceivingWebhook(table, site, id);
  const update = new UpdateCommand({
    TableName: table.table,
    Key: receivingWebhookKey(site, id),
    UpdateExpression: `SET ${changes.map(([field]) => `#${field} = :${field}`).join(", ")}`,
    ConditionExpression: "attribute_exists(pk)",
    ExpressionAttributeNames: Object.fromEntries(changes.map(([field]) => [`#${field}`, field])),
    ExpressionAttributeValues: Object.fromEntries(changes.map(([field, to]) => [`:${field}`, to])),
    ReturnValues: "ALL_NEW",
  });
  try {
    const { Attributes } = await retryPassing(() => table.dynamo.send(update));
    return await show(table, Attributes);
  } catch (error) {
    throw isConditionFailure(error) ? new ApiError("NOT_FOUND") : error;
  }
}

/** Deletes a webhook: its URL is dead at once (rule 12). A custom event stays. Throws NOT_FOUND. */
export async function deleteReceivingWebhook(
  { dynamo, table }: ConfigTable,
  { site, id, event }: ReceivingWebhook,
): Promise<void> {
  const remove: Write = {
    action: {
      Delete: {
        TableName: table,
        Key: receivingWebhookKey(site, id),
        ConditionExpression: "attribute_exists(pk)",
      },
    },
    otherwise: () => new ApiError("NOT_FOUND"),
  };
  const release: Write[] =
    event.type === "Custom" ? [{ action: customEventRelease(table, site, event.name, id) }] : [];
  await writeTogether({ dynamo, table }, [remove, oneLess(table, site), ...release]);
}

async function show({ secrets }: WebhookTable, stored: unknown): Promise<ShownWebhook> {
  const { sealed_secret: sealed, ...item } = itemWithSecretSchema.parse(stored);
  const { site, id } = item;
  try {
    const secret = await secrets.open(sealed, sealedFor(site, id));
    return { webhook: toWebhook(item), token: formatToken({ site, id, secret }) };
  } catch (error) {
    if (error instanceof SealBroken) return { webhook: toWebhook(item), token: null };
    throw error;
  }
}
