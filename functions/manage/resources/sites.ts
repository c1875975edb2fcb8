import * as z from "zod";
import { domainSchema, labelSchema } from "../../../shared/domain/access/fields";
import { maySee } from "../../../shared/domain/access/member";
import { ApiError } from "../../../shared/domain/errors";
import { toIso } from "../../../shared/domain/instant";
import {
  createSite,
  findSite,
  listSites,
  type ManagedSite,
  updateSite,
} from "../../../shared/storage/access/sites";
import { type Call, type Route, reading, writing } from "../route";

const path = "/api/manage/sites";

const siteView = z.object({
  id: z.int().describe("The site_id of the read API and of the tracking snippet."),
  domain: z.string().describe("Host in lower case, without www."),
  name: z.string(),
  created: z.iso.datetime(),
});

const view = ({ id, domain, name, created }: ManagedSite): z.input<typeof siteView> => ({
  id,
  domain,
  name,
  created: toIso(created),
});

/** The site of the path. Throws NOT_FOUND for one of another workspace or that the member has no access to. */
export async function siteOf({ config, actor, params }: Omit<Call, "body">): Promise<ManagedSite> {
  const site = await findSite(config, Number(params.site_id));
  if (!site || !maySee(actor.member, site)) throw new ApiError("NOT_FOUND");
  return site;
}

/** Sites are not deleted: their figures, keys and webhooks hang on them, and numbers are never given out again. */
export const siteRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "Sites one has access to, in the order they were created",
    answer: z.object({ sites: z.array(siteView) }),
    async handle({ config, actor }) {
      const sites = await listSites(config, actor.workspace.workspace);
      return { sites: sites.filter((site) => maySee(actor.member, site)).map(view) };
    },
  }),
  writing({
    method: "POST",
    path,
    summary: "Add a site",
    ownersOnly: true,
    status: 201,
    body: z.strictObject({ domain: domainSchema, name: labelSchema.optional() }),
    answer: siteView,
    async handle({ config, clock, actor, body: { domain, name = domain.slice(0, 100) } }) {
      const { workspace } = actor.workspace;
      return view(await createSite(config, { workspace, domain, name }, clock()));
    },
  }),
  reading({
    method: "GET",
    path: `${path}/{site_id}`,
    summary: "One site",
    answer: siteView,
    handle: async (call) => view(await siteOf(call)),
  }),
  writing({
    method: "PATCH",
    path: `${path}/{site_id}`,
    summary: "Rename a site or move it to another domain; the tracker follows within a minute",
    ownersOnly: true,
    body: z.strictObject({ domain: domainSchema.exactOptional(), name: labelSchema.exactOptional() }),
    answer: siteView,
    handle: async (call) => view(await updateSite(call.config, await siteOf(call), call.body)),
  }),
];
