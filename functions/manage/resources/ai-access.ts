import * as z from "zod";
import { AI_ACCESS_ROUTE, type ApiKeyRecord } from "../../../shared/domain/access/api-key-record";
import { ApiError } from "../../../shared/domain/errors";
import { toIso } from "../../../shared/domain/instant";
import { findAiAccess, replaceAiAccess, revokeAiAccess } from "../../../shared/storage/access/ai-access";
import { type Call, type Route, reading, removing } from "../route";
import { requireMayChange } from "./api-keys";
import { siteOf } from "./sites";

const path = "/api/manage/sites/{site_id}/ai-access";

const aiAccessView = z.object({
  mcp_url: z
    .string()
    .describe("Where an assistant is pointed, with the key in `Authorization: Bearer <key>`."),
  key: z
    .object({
      id: z.string(),
      preview: z.string().describe("The first 8 and the last 4 characters."),
      created: z.iso.datetime(),
      created_by: z.int().describe("The member whose access the key has."),
    })
    .nullable(),
});

const view = (origin: string, key: ApiKeyRecord | null): z.input<typeof aiAccessView> => ({
  mcp_url: origin + AI_ACCESS_ROUTE.replace("POST ", ""),
  key: key && { id: key.id, preview: key.preview, created: toIso(key.created), created_by: key.member },
});

/** Contract "What the service does": the AI-access (MCP) key is separate from the API keys; a site has one. */
export const aiAccessRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "The site's AI-access (MCP) key, if it has one, and the address it opens",
    answer: aiAccessView,
    async handle(call) {
      const site = await siteOf(call);
      return view(call.origin, await findAiAccess(call.config, site.id));
    },
  }),
  reading({
    method: "POST",
    path,
    summary: "Make the AI-access key, which revokes the one before it; its value is answered this once",
    status: 201,
    answer: aiAccessView.extend({ value: z.string() }),
    async handle(call) {
      const { config, clock, random, actor, origin } = call;
      const { workspace, id: site } = await siteOf(call);
      const old = await changeable(call, site);
      const purpose = { workspace, site, member: actor.member.member };
      const { key, value } = await replaceAiAccess(config, purpose, old, { now: clock(), random });
      return { ...view(origin, key), value };
    },
  }),
  removing({
    method: "DELETE",
    path,
    summary: "Revoke the AI-access key, at once and for good",
    async handle(call) {
      const site = await siteOf(call);
      const key = await changeable(call, site.id);
      if (!key) throw new ApiError("NOT_FOUND");
      await revokeAiAccess(call.config, key);
    },
  }),
];

/** The site's key if it has one, for somebody who may change it. Throws FORBIDDEN. */
async function changeable({ config, actor }: Omit<Call, "body">, site: number): Promise<ApiKeyRecord | null> {
  const key = await findAiAccess(config, site);
  if (key) requireMayChange(actor, key);
  return key;
}
