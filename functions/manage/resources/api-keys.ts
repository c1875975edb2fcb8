import * as z from "zod";
import type { ApiKeyRecord } from "../../../shared/domain/access/api-key-record";
import { labelSchema } from "../../../shared/domain/access/fields";
import { ApiError } from "../../../shared/domain/errors";
import { type Instant, toIso } from "../../../shared/domain/instant";
import {
  createApiKey,
  findApiKey,
  listApiKeys,
  renameApiKey,
  revokeApiKey,
} from "../../../shared/storage/access/api-keys";
import { type Actor, type Call, type Route, reading, removing, writing } from "../route";
import { siteOf } from "./sites";

const path = "/api/manage/sites/{site_id}/api-keys";

const keyView = z.object({
  id: z.string(),
  name: z.string(),
  preview: z.string().describe("The first 8 and the last 4 characters."),
  created: z.iso.datetime(),
  created_by: z.int().describe("The member whose access the key has."),
  expires: z.iso.datetime().nullable(),
});

const view = (key: ApiKeyRecord): z.input<typeof keyView> => ({
  id: key.id,
  name: key.name,
  preview: key.preview,
  created: toIso(key.created),
  created_by: key.member,
  expires: key.expires === null ? null : toIso(key.expires),
});

/** Contract "API key": lists keys created on this site's page; the value is in the answer to its creation only. */
export const apiKeyRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "API keys created on the site's page, oldest first, without revoked ones",
    answer: z.object({ api_keys: z.array(keyView) }),
    async handle(call) {
      const site = await siteOf(call);
      return { api_keys: (await listApiKeys(call.config, site.id)).map(view) };
    },
  }),
  writing({
    method: "POST",
    path,
    summary: "Create an API key; its value is answered this once",
    status: 201,
    body: z.strictObject({
      name: labelSchema,
      expires: z.iso
        .datetime({ offset: true, error: "must be a date and time such as 2027-01-31T00:00:00Z" })
        .nullish(),
    }),
    answer: keyView.extend({ value: z.string() }),
    async handle(call) {
      const { config, clock, random, actor, body } = call;
      const site = await siteOf(call);
      const now = clock();
      const { key, value } = await createApiKey(
        config,
        {
          workspace: site.workspace,
          site: site.id,
          member: actor.member.member,
          name: body.name,
          expires: expiry(body.expires, now),
        },
        { now, random },
      );
      return { ...view(key), value };
    },
  }),
  writing({
    method: "PATCH",
    path: `${path}/{key_id}`,
    summary: "Rename an API key",
    body: z.strictObject({ name: labelSchema }),
    answer: keyView,
    handle: async (call) => view(await renameApiKey(call.config, await keyOf(call), call.body.name)),
  }),
  removing({
    method: "DELETE",
    path: `${path}/{key_id}`,
    summary: "Revoke an API key, at once and for good",
    handle: async (call) => revokeApiKey(call.config, await keyOf(call), call.clock()),
  }),
];

/** The listed key of the path, for one who may change it. Throws NOT_FOUND, FORBIDDEN. */
async function keyOf(call: Omit<Call, "body">): Promise<ApiKeyRecord> {
  const { config, actor, params } = call;
  const site = await siteOf(call);
  const key = await findApiKey(config, site.id, params.key_id ?? "");
  if (!key) throw new ApiError("NOT_FOUND");
  requireMayChange(actor, key);
  return key;
}

/** Members change their own keys, owners everybody's. Throws FORBIDDEN. */
export function requireMayChange({ member }: Actor, key: ApiKeyRecord): void {
  if (member.role === "owner" || key.member === member.member) return;
  throw new ApiError("FORBIDDEN", "Only its creator and owners of the workspace can change this key.");
}

function expiry(expires: string | null | undefined, now: Instant): Instant | null {
  if (expires === null || expires === undefined) return null;
  const at = Date.parse(expires);
  if (at > now) return at;
  throw new ApiError("BAD_REQUEST", "expires: must be in the future.");
}
