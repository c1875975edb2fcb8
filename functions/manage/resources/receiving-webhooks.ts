import * as z from "zod";
import { labelSchema } from "../../../shared/domain/access/fields";
import { eventKind } from "../../../shared/domain/conversion/event-type";
import { receivingPath } from "../../../shared/domain/conversion/receiving-webhook";
import { toIso } from "../../../shared/domain/instant";
import type { NativeSource } from "../../../shared/ports/native-integrations";
import {
  createReceivingWebhook,
  deleteReceivingWebhook,
  findReceivingWebhook,
  listReceivingWebhooks,
  type ShownWebhook,
  updateReceivingWebhook,
  type WebhookTable,
} from "../../../shared/storage/conversion/manage-receiving-webhooks";
import { type Call, type Route, reading, removing, writing } from "../route";
import { siteOf } from "./sites";

export const path = "/api/manage/sites/{site_id}/receiving-webhooks";

const eventType = z.string().transform((text, context) => {
  const kind = eventKind(text);
  if (kind) return kind.name;
  context.addIssue(
    "must be Lead, Schedule, Purchase or the name of a custom event, of at most 100 characters",
  );
  return z.NEVER;
});

const webhookView = z.object({
  id: z.string(),
  name: z.string(),
  event_type: z.string().describe("Lead, Schedule, Purchase or the name of a custom event; fixed."),
  url: z
    .string()
    .nullable()
    .describe("The secret URL, its only credential. Null when the key it was sealed with is lost."),
  also_fire_to_ad_platforms: z.boolean(),
  created: z.iso.datetime(),
  warning: z
    .object({ reported_by: z.array(z.string()), message: z.string() })
    .nullable()
    .describe("Amber: native integrations of the site report this event type already."),
});

/** Rule 9: what comes from two sources is counted once only where both name the same person the same day, or the same sale. */
function warningOf(eventType: string, sources: readonly NativeSource[]) {
  const kinds = sources.filter((source) => source.eventType === eventType).map(({ kind }) => kind);
  if (kinds.length === 0) return null;
  const message = `${eventType} events of this site are reported by ${kinds.join(" and ")} already. What both report may count twice.`;
  return { reported_by: kinds, message };
}

const view = (
  { webhook, token }: ShownWebhook,
  origin: string,
  sources: readonly NativeSource[],
): z.input<typeof webhookView> => ({
  id: webhook.id,
  name: webhook.name,
  event_type: webhook.event.name,
  url: token === null ? null : origin + receivingPath(token),
  also_fire_to_ad_platforms: webhook.forwardToAds,
  created: toIso(webhook.created),
  warning: warningOf(webhook.event.name, sources),
});

/** Contract "Receiving webhook": whoever has access to the site manages its webhooks and copies their URLs. */
export const receivingWebhookRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "Receiving webhooks with their URLs, oldest first",
    answer: z.object({ receiving_webhooks: z.array(webhookView) }),
    async handle(call) {
      const { id } = await siteOf(call);
      const [webhooks, sources] = await Promise.all([
        listReceivingWebhooks(tableOf(call), id),
        call.nativeSources.reporting(id),
      ]);
      return { receiving_webhooks: webhooks.map((webhook) => view(webhook, call.origin, sources)) };
    },
  }),
  writing({
    method: "POST",
    path,
    summary: "Create a receiving webhook; a custom name is offered as a custom event from then on",
    status: 201,
    body: z.strictObject({
      name: labelSchema,
      event_type: eventType,
      also_fire_to_ad_platforms: z.boolean().default(false),
    }),
    answer: webhookView,
    async handle(call) {
      const { clock, random, body } = call;
      const { workspace, id: site } = await siteOf(call);
      const wanted = {
        ...{ workspace, site, name: body.name, eventType: body.event_type },
        forwardToAds: body.also_fire_to_ad_platforms,
      };
      return shown(call, site, await createReceivingWebhook({ ...tableOf(call), clock, random }, wanted));
    },
  }),
  reading({
    method: "GET",
    path: `${path}/{webhook_id}`,
    summary: "One receiving webhook",
    answer: webhookView,
    async handle(call) {
      const { site, id } = await named(call);
      return shown(call, site, await findReceivingWebhook(tableOf(call), site, id));
    },
  }),
  writing({
    method: "PATCH",
    path: `${path}/{webhook_id}`,
    summary: "Rename a receiving webhook or switch its forwarding to ad platforms",
    body: z.strictObject({
      name: labelSchema.exactOptional(),
      also_fire_to_ad_platforms: z.boolean().exactOptional(),
      event_type: z.never("is fixed; create a second webhook for another type").exactOptional(),
    }),
    answer: webhookView,
    async handle(call) {
      const { site, id } = await named(call);
      const { name, also_fire_to_ad_platforms: forwardToAds } = call.body;
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(forwardToAds === undefined ? {} : { forwardToAds }),
      };
      return shown(call, site, await updateReceivingWebhook(tableOf(call), site, id, change));
    },
  }),
  removing({
    method: "DELETE",
    path: `${path}/{webhook_id}`,
    summary: "Delete a receiving webhook: its URL is dead at once and for good",
    async handle(call) {
      const { site, id } = await named(call);
      const { webhook } = await findReceivingWebhook(tableOf(call), site, id);
      await deleteReceivingWebhook(call.config, webhook);
    },
  }),
];

export const tableOf = ({ config, secrets }: Omit<Call, "body">): WebhookTable => ({ ...config, secrets });

/** What the path names: the site is one the member has access to, the webhook may be none. */
export async function named(call: Omit<Call, "body">): Promise<{ site: number; id: string }> {
  return { site: (await siteOf(call)).id, id: call.params.webhook_id ?? "" };
}

const shown = async (call: Omit<Call, "body">, site: number, webhook: ShownWebhook) =>
  view(webhook, call.origin, await call.nativeSources.reporting(site));
