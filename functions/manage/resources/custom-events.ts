import * as z from "zod";
import { toIso } from "../../../shared/domain/instant";
import { deleteCustomEvent, listCustomEvents } from "../../../shared/storage/conversion/custom-events";
import { type Route, reading, removing } from "../route";
import { siteOf } from "./sites";

const path = "/api/manage/sites/{site_id}/custom-events";

const customEventView = z.object({
  id: z.string(),
  name: z.string(),
  created: z.iso.datetime(),
  used_by: z.array(z.string()).describe("Ids of what names it, such as receiving webhooks (`whin_`)."),
});

/** Names of custom events, offered wherever one is chosen (contract: "Sending webhook", rule 11 of "Inbound webhook"). */
export const customEventRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "Custom events, by name; a webhook that is deleted leaves its own",
    answer: z.object({ custom_events: z.array(customEventView) }),
    async handle(call) {
      const site = await siteOf(call);
      const events = await listCustomEvents(call.config, site.id);
      const custom_events = events.map(({ id, name, created, usedBy }) => ({
        ...{ id, name },
        created: toIso(created),
        used_by: [...usedBy],
      }));
      return { custom_events };
    },
  }),
  removing({
    method: "DELETE",
    path: `${path}/{custom_event_id}`,
    summary: "Delete a custom event that nothing uses; its past conversions stay",
    async handle(call) {
      const site = await siteOf(call);
      await deleteCustomEvent(call.config, site.id, call.params.custom_event_id ?? "");
    },
  }),
];
