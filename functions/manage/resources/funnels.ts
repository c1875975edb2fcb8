import * as z from "zod";
import { labelSchema } from "../../../shared/domain/access/fields";
import { clip } from "../../../shared/domain/clip";
import { eventKind } from "../../../shared/domain/conversion/event-type";
import type { FunnelStep } from "../../../shared/domain/funnels/funnel";
import {
  funnelOf,
  type SavedFunnel,
  type SavedFunnels,
  withChange,
  withFunnel,
  withoutFunnel,
} from "../../../shared/domain/funnels/saved-funnels";
import { MAX_STEPS } from "../../../shared/domain/funnels/step-map";
import { stepPage } from "../../../shared/domain/funnels/step-page";
import { toIso } from "../../../shared/domain/instant";
import { bestEffort } from "../../../shared/lambda/best-effort";
import { changeFunnels, readFunnels } from "../../../shared/storage/funnels/funnels";
import { type Call, type Route, reading, removing, writing } from "../route";
import { siteOf } from "./sites";

const path = "/api/manage/sites/{site_id}/funnels";

const step = z
  .strictObject({
    step_name: labelSchema.exactOptional().describe("The page or event unless told."),
    page: z.string().exactOptional().describe("Path, or with a trailing * the beginning of one: /shop/*"),
    event: z.string().exactOptional().describe("Lead, Schedule, Purchase or the name of a custom event."),
  })
  .describe("A page or an event, one of the two.")
  .transform(({ step_name, page, event }, context): FunnelStep => {
    if ((page === undefined) === (event === undefined)) {
      context.addIssue("must have either page or event");
      return z.NEVER;
    }
    const name = step_name ?? clip((page ?? event ?? "").trim(), 100);
    if (page !== undefined) {
      const read = stepPage(page);
      if ("page" in read) return { name, matches: { page: read.page } };
      context.addIssue({ code: "custom", path: ["page"], message: read.problem });
      return z.NEVER;
    }
    const kind = eventKind(event ?? "");
    if (kind) return { name, matches: { event: kind.name } };
    const message = "must be Lead, Schedule, Purchase or the name of a custom event";
    context.addIssue({ code: "custom", path: ["event"], message });
    return z.NEVER;
  });

const howMany = `must be 2 to ${MAX_STEPS} steps`;
const steps = z.array(step).min(2, howMany).max(MAX_STEPS, howMany);

const funnelView = z.object({
  id: z.int(),
  name: z.string(),
  steps: z.array(
    z.union([
      z.object({ step_name: z.string(), page: z.string() }),
      z.object({ step_name: z.string(), event: z.string() }),
    ]),
  ),
  created: z.iso.datetime(),
});

const view = ({ id, name, steps, created }: SavedFunnel): z.input<typeof funnelView> => ({
  id,
  name,
  steps: steps.map((step) => ({ step_name: step.name, ...step.matches })),
  created: toIso(created),
});

/** Saved funnels (decisions: "Funnels"): whoever has access to the site shapes them. */
export const funnelRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "Saved funnels, in the order they were created",
    answer: z.object({ funnels: z.array(funnelView) }),
    handle: async (call) => ({ funnels: (await savedOf(call)).funnels.map(view) }),
  }),
  writing({
    method: "POST",
    path,
    summary: "Save a funnel; the read API has its figures at once, also of the past",
    status: 201,
    body: z.strictObject({ name: labelSchema, steps }),
    answer: funnelView,
    async handle(call) {
      const { funnels } = await change(call, (before) => withFunnel(before, call.body, call.clock()));
      return view(funnels.at(-1) as SavedFunnel);
    },
  }),
  reading({
    method: "GET",
    path: `${path}/{funnel_id}`,
    summary: "One saved funnel",
    answer: funnelView,
    handle: async (call) => view(funnelOf(await savedOf(call), idOf(call))),
  }),
  writing({
    method: "PATCH",
    path: `${path}/{funnel_id}`,
    summary: "Rename a funnel or replace its steps, all of them",
    body: z.strictObject({ name: labelSchema.exactOptional(), steps: steps.exactOptional() }),
    answer: funnelView,
    async handle(call) {
      const after = await change(call, (before) => withChange(before, idOf(call), call.body));
      return view(funnelOf(after, idOf(call)));
    },
  }),
  removing({
    method: "DELETE",
    path: `${path}/{funnel_id}`,
    summary: "Delete a funnel",
    async handle(call) {
      await change(call, (before) => withoutFunnel(before, idOf(call)));
    },
  }),
];

const idOf = ({ params }: Omit<Call, "body">): number => Number(params.funnel_id);

async function savedOf(call: Omit<Call, "body">): Promise<SavedFunnels> {
  const { dynamo, tables } = call.funnels;
  return readFunnels(dynamo, tables.config, (await siteOf(call)).id);
}

/** Makes a change and wakes who builds the cubes. Should that be lost, the sweeper finds what the change left word of. */
async function change(
  call: Omit<Call, "body">,
  make: (before: SavedFunnels) => SavedFunnels,
): Promise<SavedFunnels> {
  const { funnels, backfills, clock } = call;
  const site = await siteOf(call);
  const { after, facets } = await changeFunnels(funnels, site.id, make, clock());
  await bestEffort("a funnel's cubes wait for the sweeper", async () => {
    for (const facet of facets) await backfills.send({ site: site.id, facet });
  });
  return after;
}
