import * as z from "zod";
import { toIso } from "../instant";
import { type Member, ROLES, type Workspace } from "./member";
import { PLANS } from "./principal";

/** Members and workspaces as the management API shows them. Never with a password's hash. */
export const memberView = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  role: z.enum(ROLES),
  sites: z.union([z.literal("all"), z.array(z.int())]).describe("All sites of the workspace, or these."),
  created: z.iso.datetime(),
});

export const workspaceView = z.object({
  id: z.int(),
  name: z.string(),
  plan: z.enum(PLANS),
  created: z.iso.datetime(),
});

/** The answer to a login, and who one is. */
export const meView = z.object({ member: memberView, workspace: workspaceView });

export const viewMember = (member: Member): z.input<typeof memberView> => ({
  id: member.member,
  email: member.email,
  name: member.name,
  role: member.role,
  sites: member.sites === "all" ? "all" : [...member.sites],
  created: toIso(member.created),
});

export const viewWorkspace = (workspace: Workspace): z.input<typeof workspaceView> => ({
  id: workspace.workspace,
  name: workspace.name,
  plan: workspace.plan,
  created: toIso(workspace.created),
});
