import * as z from "zod";
import { hashApiKey, type ParsedKey } from "../../domain/access/api-key";
import { API_KEY_KINDS, type ApiKeyKind } from "../../domain/access/api-key-record";
import type { SiteAccess } from "../../domain/access/member";
import { PLANS, type Plan } from "../../domain/access/principal";
import type { Instant } from "../../domain/instant";
import { credentialKey, memberKey, workspaceKey } from "./config-keys";
import { type ConfigTable, readTogether } from "./config-table";

/** All that a request with an API key is judged by. */
export interface Standing {
  readonly keyId: string;
  readonly kind: ApiKeyKind;
  readonly workspace: number;
  readonly expires: Instant | null;
  readonly plan: Plan;
  /** What the key's creator can read now. */
  readonly sites: SiteAccess;
}

const credentialItem = z.object({
  keyId: z.string(),
  /** Credentials of before kinds were told apart have none; all of them were for the read API. */
  kind: z.enum(API_KEY_KINDS).default("api"),
  workspace: z.int(),
  expires: z.int().nullable(),
});
const workspaceItem = z.object({ plan: z.enum(PLANS) });
const memberItem = z.object({ sites: z.union([z.literal("all"), z.array(z.int())]) });

/**
 * Reads a key, its workspace and its creator in one round trip, consistently: revoking a key, changing the plan and
 * changing the creator's access hold from the next request on. Null when any of the three is gone.
 */
export async function findStanding(
  config: ConfigTable,
  key: string,
  { workspace, member }: ParsedKey,
): Promise<Standing | null> {
  const keys = [credentialKey(hashApiKey(key)), workspaceKey(workspace), memberKey(workspace, member)];
  const items = await readTogether(config, keys);
  const [credentialFound, workspaceFound, memberFound] = keys.map(({ pk, sk }) =>
    items.find((item) => item.pk === pk && item.sk === sk),
  );
  if (!credentialFound || !workspaceFound || !memberFound) return null;
  return {
    ...credentialItem.parse(credentialFound),
    ...workspaceItem.parse(workspaceFound),
    ...memberItem.parse(memberFound),
  };
}
