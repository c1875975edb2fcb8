import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { type Member, ROLES, type Workspace } from "../../domain/access/member";
import { ApiError } from "../../domain/errors";
import type { Instant } from "../../domain/instant";
import { emailKey, MEMBER_PREFIX, memberKey, membersPk, workspaceKey } from "./config-keys";
import {
  type ConfigTable,
  listItems,
  nextNumber,
  readTogether,
  type Write,
  writeTogether,
} from "./config-table";
import { parseWorkspace } from "./workspaces";

const memberItem = z.object({
  workspace: z.int(),
  member: z.int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  sites: z.union([z.literal("all"), z.array(z.int())]),
  created: z.int(),
  passwordHash: z.string(),
  passwordVersion: z.int(),
});

/** A member as it is stored; throws when the item is not one. */
const parseMember = (item: unknown): Member => memberItem.parse(item);

export type NewMember = Pick<Member, "workspace" | "email" | "name" | "role" | "sites" | "passwordHash">;
export type MemberChange = Partial<Pick<Member, "name" | "role" | "sites" | "passwordHash">>;

/**
 * Creates a member. `email` is normalised (see `emailSchema`) and belongs to one member of the whole service, also
 * under concurrent creations. Throws CONFLICT for a taken e-mail, NOT_FOUND for an unknown workspace.
 */
export async function createMember(config: ConfigTable, input: NewMember, now: Instant): Promise<Member> {
  const { workspace, email, role } = input;
  const number = await nextNumber(config, "member");
  const member: Member = { ...input, member: number, created: now, passwordVersion: 1 };
  await writeTogether(config, [
    {
      action: {
        Put: {
          TableName: config.table,
          Item: { ...emailKey(email), workspace, member: number },
          ConditionExpression: "attribute_not_exists(pk)",
        },
      },
      otherwise: () => new ApiError("CONFLICT", "A member with this e-mail exists already."),
    },
    countOwners(config, workspace, role === "owner" ? 1 : 0),
    {
      action: {
        Put: {
          TableName: config.table,
          Item: { ...memberKey(workspace, number), ...member },
          ConditionExpression: "attribute_not_exists(pk)",
        },
      },
    },
  ]);
  return member;
}

/** Members of a workspace in the order they were created. */
export async function listMembers(config: ConfigTable, workspace: number): Promise<readonly Member[]> {
  const items = await listItems(config, membersPk(workspace), MEMBER_PREFIX);
  return items.map(parseMember).sort((a, b) => a.member - b.member);
}

export async function findMember(
  config: ConfigTable,
  workspace: number,
  member: number,
): Promise<Member | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({
      TableName: config.table,
      Key: memberKey(workspace, member),
      ConsistentRead: true,
    }),
  );
  return Item ? parseMember(Item) : null;
}

/** A member with its workspace in one round trip; null when either is gone. */
export async function findMemberAndWorkspace(
  config: ConfigTable,
  workspace: number,
  member: number,
): Promise<{ readonly member: Member; readonly workspace: Workspace } | null> {
  const items = await readTogether(config, [memberKey(workspace, member), workspaceKey(workspace)]);
  const of = (sk: string) => items.find((item) => item.sk === sk);
  const [memberFound, workspaceFound] = [of(MEMBER_PREFIX + member), of("workspace")];
  if (!memberFound || !workspaceFound) return null;
  return { member: parseMember(memberFound), workspace: parseWorkspace(workspaceFound) };
}

/** The member who logs in with `email` (normalised). Takes two round trips also for an unknown e-mail. */
export async function findMemberByEmail(config: ConfigTable, email: string): Promise<Member | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: emailKey(email), ConsistentRead: true }),
  );
  const { workspace = 0, member = 0 } = (Item ?? {}) as { workspace?: number; member?: number };
  return findMember(config, workspace, member);
}

/**
 * Changes what is given of a member; a new password voids the member's sessions. Throws CONFLICT when the last owner
 * would lose the role or `member` was changed by another meanwhile.
 */
export async function updateMember(
  config: ConfigTable,
  member: Member,
  change: MemberChange,
): Promise<Member> {
  const passwordVersion = member.passwordVersion + (change.passwordHash === undefined ? 0 : 1);
  const changed: Member = { ...member, ...change, passwordVersion };
  const owners = Number(changed.role === "owner") - Number(member.role === "owner");
  await writeTogether(config, [
    countOwners(config, member.workspace, owners),
    {
      action: {
        Put: {
          TableName: config.table,
          Item: { ...memberKey(member.workspace, member.member), ...changed },
          ...unchangedSince(member),
        },
      },
      otherwise: changedMeanwhile,
    },
  ]);
  return changed;
}

/** Removes a member: sessions and API keys of theirs end with it. Throws CONFLICT for the last owner. */
export async function deleteMember(config: ConfigTable, member: Member): Promise<void> {
  await writeTogether(config, [
    countOwners(config, member.workspace, member.role === "owner" ? -1 : 0),
    {
      action: {
        Delete: {
          TableName: config.table,
          Key: memberKey(member.workspace, member.member),
          ...unchangedSince(member),
        },
      },
      otherwise: changedMeanwhile,
    },
    { action: { Delete: { TableName: config.table, Key: emailKey(member.email) } } },
  ]);
}

/** Keeps the workspace's number of owners, which never falls to 0, whatever happens at once. */
function countOwners(config: ConfigTable, workspace: number, by: number): Write {
  const update = { TableName: config.table, Key: workspaceKey(workspace) };
  const notFound = () => new ApiError("NOT_FOUND", `There is no workspace ${workspace}.`);
  if (by === 0) {
    return {
      action: { ConditionCheck: { ...update, ConditionExpression: "attribute_exists(pk)" } },
      otherwise: notFound,
    };
  }
  return {
    action: {
      Update: {
        ...update,
        UpdateExpression: "SET owners = owners + :by",
        ConditionExpression: by > 0 ? "attribute_exists(pk)" : "owners > :one",
        ExpressionAttributeValues: { ":by": by, ...(by > 0 ? {} : { ":one": 1 }) },
      },
    },
    otherwise:
      by > 0 ? notFound : () => new ApiError("CONFLICT", "A workspace needs an owner; this is the last one."),
  };
}

/** The whole member is written back, so it must be as it was read. */
const unchangedSince = (member: Member) => ({
  ConditionExpression: "#role = :role AND #sites = :sites AND #name = :name AND passwordVersion = :version",
  ExpressionAttributeNames: { "#role": "role", "#sites": "sites", "#name": "name" },
  ExpressionAttributeValues: {
    ":role": member.role,
    ":sites": member.sites,
    ":name": member.name,
    ":version": member.passwordVersion,
  },
});

const changedMeanwhile = () =>
  new ApiError("CONFLICT", "This member was changed by someone else meanwhile. Read it again and repeat.");
