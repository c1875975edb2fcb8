import * as z from "zod";
import { API_PLAN, PLANS, type Plan } from "../../../shared/domain/access/principal";
import { setPlan } from "../../../shared/storage/access/workspaces";
import { type Route, reading, writing } from "../route";

const path = "/api/manage/plan";

const planView = z.object({
  plan: z.enum(PLANS),
  plans: z.array(z.enum(PLANS)).describe("All plans, lowest first."),
  api_access: z.boolean().describe("Whether API keys can be created and used."),
});

const view = (plan: Plan): z.input<typeof planView> => ({
  plan,
  plans: [...PLANS],
  api_access: plan === API_PLAN,
});

export const planRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "The workspace's plan",
    answer: planView,
    handle: async ({ actor }) => view(actor.workspace.plan),
  }),
  writing({
    method: "PATCH",
    path,
    summary: "Change the workspace's plan; holds from the next request on",
    ownersOnly: true,
    body: z.strictObject({ plan: z.enum(PLANS) }),
    answer: planView,
    handle: async ({ config, actor, body }) =>
      view((await setPlan(config, actor.workspace.workspace, body.plan)).plan),
  }),
];
