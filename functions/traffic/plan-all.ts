import { trafficMessageSchema } from "../../shared/domain/tracking/message";
import { log } from "../../shared/lambda/log";
import type { QueueMessage } from "../../shared/lambda/queue";
import type { SiteDirectory } from "../../shared/ports/sites";
import { type Plan, planOf } from "./plan";
import { settleByName } from "./settle-by-name";

/**
 * Plans every message that can be planned, and names those to try again because their site could not be looked up.
 * What can never succeed (a message of no known form, a site that is gone) is logged and dropped.
 */
export async function planAll(
  messages: readonly QueueMessage[],
  directory: SiteDirectory,
): Promise<{ plans: Plan[]; unplanned: string[] }> {
  const parsed = messages.map(({ id, body }) => ({ id, message: trafficMessageSchema.safeParse(body).data }));
  const readable = parsed.flatMap(({ id, message }) => (message?.hits.length ? [{ id, message }] : []));
  const sites = await settleByName(
    "site look-ups",
    new Map(readable.map(({ message }) => [message.site, message.site])),
    (ids) => Promise.allSettled(ids.map((id) => directory.find(id))),
  );

  const plans: Plan[] = [];
  const unplanned: string[] = [];
  for (const { id, message } of readable) {
    const site = sites.get(message.site);
    if (site === undefined) unplanned.push(id);
    else if (site !== null) plans.push(planOf(id, site, message));
  }
  const dropped = messages.length - plans.length - unplanned.length;
  if (dropped > 0) log.warn("messages dropped: of no known form, or of a site that is gone", { dropped });
  return { plans, unplanned };
}
