import * as z from "zod";
import { hashApiKey, type ParsedKey } from "../domain/access/api-key";
import type { Credential } from "../domain/access/api-key-record";
import type { Member, Workspace } from "../domain/access/member";
import { type ConfigTable, readTogether } from "./config-table";
import { credentialKey, memberKey, workspaceKey } from "./keys/config";
import { parseMember } from "./members";
import { parseWorkspace } from "./workspaces";

const credentialItem = z.object({
  keyId: z.string(),
  workspace: z.int(),
  member: z.int(),
  expires: z.int().nullable(),
});

/** All that a request with an API key is judged by. */
export interface Standing {
  readonly credential: Credential;
  readonly workspace: Workspace;
  readonly member: Member;
}

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
  const [credential, workspaceItem, memberItem] = keys.map(({ pk, sk }) =>
    items.find((item) => item.pk === pk && item.sk === sk),
  );
  if (!credential || !workspaceItem || !memberItem) return null;
  return {
    credential: credentialItem.parse(credential),
    workspace: parseWorkspace(workspaceItem),
    member: parseMember(memberItem),
  };
}
