import * as z from "zod";
import { mayRead, type Site } from "../../shared/domain/access/principal";
import { json } from "../../shared/lambda/http";
import { requirePrincipal } from "../../shared/lambda/read-api/admission";
import { outputOf, READS_ONLY, type Tool } from "./tool";

const sitesSchema = z.object({
  sites: z.array(
    z.object({
      site_id: z.int().describe("What the other tools ask for."),
      domain: z.string(),
      name: z.string(),
    }),
  ),
});

/**
 * Which sites there are to ask about: a person knows their site's number from the dashboard, an assistant knows its name at
 * best. It tells of a site no more than the key's owner sees there, and of none the key cannot read.
 */
export const sitesTool = (listSites: (workspace: number) => Promise<readonly Site[]>): Tool => ({
  name: "sites",
  list: () => ({
    name: "sites",
    description: "The sites this key can read, each with the site_id that the other tools ask for.",
    inputSchema: { type: "object" as const, properties: {} },
    outputSchema: outputOf(sitesSchema),
    annotations: READS_ONLY,
  }),
  async call({ request }) {
    const principal = requirePrincipal(request.authorizer);
    const sites = (await listSites(principal.workspace)).filter((site) => mayRead(principal, site));
    const rows = sites.map(({ id, domain, name }) => ({ site_id: id, domain, name }));
    return json(200, sitesSchema.parse({ sites: rows }));
  },
});
