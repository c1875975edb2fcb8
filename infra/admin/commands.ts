import * as z from "zod";
import { API_KEY_KINDS, type ApiKeyRecord } from "../../shared/domain/access/api-key-record";
import { domainSchema, emailSchema, labelSchema } from "../../shared/domain/access/fields";
import { ROLES } from "../../shared/domain/access/member";
import { PLANS } from "../../shared/domain/access/principal";
import { viewMember, viewWorkspace } from "../../shared/domain/access/views";
import { ApiError } from "../../shared/domain/errors";
import { toIso } from "../../shared/domain/instant";
import { findAiAccess, replaceAiAccess, revokeAiAccess } from "../../shared/storage/access/ai-access";
import { createApiKey, findApiKey, listApiKeys, revokeApiKey } from "../../shared/storage/access/api-keys";
import {
  createMember,
  findMemberByEmail,
  listMembers,
  updateMember,
} from "../../shared/storage/access/members";
import {
  createSite,
  findSite,
  listSites,
  type ManagedSite,
  requireSites,
} from "../../shared/storage/access/sites";
import { createWorkspace, listWorkspaces, setPlan } from "../../shared/storage/access/workspaces";
import { ANALYTICS_COMMANDS } from "./analytics-commands";
import { type Command, command, wholeNumber } from "./command";

const siteList = z.union([
  z.literal("all"),
  z
    .string()
    .regex(/^\d+(,\d+)*$/, 'must be "all" or numbers such as 1,2')
    .transform((text) => text.split(",").map(Number)),
]);
const passwordStdin = z.boolean().default(false);

/** Every command; each uses the same storage functions as the management API. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  "create-workspace": command(
    "create a workspace; give it an owner next",
    z.strictObject({ name: labelSchema, plan: z.enum(PLANS).default("starter") }),
    async (options, { config, now }) => viewWorkspace(await createWorkspace(config, options, now)),
  ),

  "create-member": command(
    "create a member; the password is asked for, read (--password-stdin) or generated",
    z.strictObject({
      workspace: wholeNumber,
      email: emailSchema,
      name: labelSchema,
      role: z.enum(ROLES).default("owner"),
      sites: siteList.default("all"),
      "password-stdin": passwordStdin,
    }),
    async ({ "password-stdin": fromStdin, ...options }, { config, now, choosePassword, hashPassword }) => {
      const sites = options.role === "owner" ? "all" : options.sites;
      await requireSites(config, options.workspace, sites);
      const { password, generated } = await choosePassword(fromStdin);
      const passwordHash = await hashPassword(password);
      const member = await createMember(config, { ...options, sites, passwordHash }, now);
      return { ...viewMember(member), ...(generated ? { password: generated } : {}) };
    },
  ),

  "set-password": command(
    "give a member a new password, which ends their sessions",
    z.strictObject({ email: emailSchema, "password-stdin": passwordStdin }),
    async ({ email, "password-stdin": fromStdin }, { config, choosePassword, hashPassword }) => {
      const member = await findMemberByEmail(config, email);
      if (!member) throw new ApiError("NOT_FOUND", `There is no member ${email}.`);
      const { password, generated } = await choosePassword(fromStdin);
      await updateMember(config, member, { passwordHash: await hashPassword(password) });
      return { ...viewMember(member), ...(generated ? { password: generated } : {}) };
    },
  ),

  "create-site": command(
    "add a site to a workspace",
    z.strictObject({ workspace: wholeNumber, domain: domainSchema, name: labelSchema.optional() }),
    async ({ workspace, domain, name = domain.slice(0, 100) }, { config, now }) =>
      viewSite(await createSite(config, { workspace, domain, name }, now)),
  ),

  "create-key": command(
    "create an API key with a member's access; its value is shown this once",
    z.strictObject({
      site: wholeNumber,
      email: emailSchema,
      name: labelSchema,
      kind: z.enum(API_KEY_KINDS).exclude(["mcp"]).default("api"),
      expires: z.iso.datetime({ offset: true }).optional(),
    }),
    async ({ email, expires, ...options }, { config, now, random }) => {
      const member = await findMemberByEmail(config, email);
      if (!member) throw new ApiError("NOT_FOUND", `There is no member ${email}.`);
      const { workspace, member: number } = member;
      const input = {
        ...options,
        workspace,
        member: number,
        expires: expires === undefined ? null : Date.parse(expires),
      };
      const { key, value } = await createApiKey(config, input, { now, random });
      return { ...viewKey(key), value };
    },
  ),

  "revoke-key": command(
    "end an API key, at once and for good",
    z.strictObject({ site: wholeNumber, key: z.string() }),
    async ({ site, key: id }, { config, now }) => {
      const key = await findApiKey(config, site, id);
      if (!key) throw new ApiError("NOT_FOUND", `Site ${site} has no key ${id}.`);
      await revokeApiKey(config, key, now);
      return viewKey(key);
    },
  ),

  "create-ai-access": command(
    "make the site's AI-access (MCP) key, which ends the one it had; its value is shown this once",
    z.strictObject({ site: wholeNumber, email: emailSchema }),
    async ({ site, email }, { config, now, random }) => {
      const member = await findMemberByEmail(config, email);
      if (!member) throw new ApiError("NOT_FOUND", `There is no member ${email}.`);
      const purpose = { workspace: member.workspace, site, member: member.member };
      const old = await findAiAccess(config, site);
      const { key, value } = await replaceAiAccess(config, purpose, old, { now, random });
      return { ...viewKey(key), value };
    },
  ),

  "revoke-ai-access": command(
    "end the site's AI-access (MCP) key, at once and for good",
    z.strictObject({ site: wholeNumber }),
    async ({ site }, { config }) => {
      const key = await findAiAccess(config, site);
      if (!key) throw new ApiError("NOT_FOUND", `Site ${site} has no AI-access key.`);
      await revokeAiAccess(config, key);
      return viewKey(key);
    },
  ),

  "set-plan": command(
    "change a workspace's plan, from the next request on",
    z.strictObject({ workspace: wholeNumber, plan: z.enum(PLANS) }),
    async ({ workspace, plan }, { config }) => viewWorkspace(await setPlan(config, workspace, plan)),
  ),

  "list-workspaces": command("every workspace", z.strictObject({}), async (_, { config }) =>
    (await listWorkspaces(config)).map(viewWorkspace),
  ),

  "list-sites": command(
    "the sites of a workspace",
    z.strictObject({ workspace: wholeNumber }),
    async ({ workspace }, { config }) => (await listSites(config, workspace)).map(viewSite),
  ),

  "list-members": command(
    "the members of a workspace",
    z.strictObject({ workspace: wholeNumber }),
    async ({ workspace }, { config }) => (await listMembers(config, workspace)).map(viewMember),
  ),

  "list-keys": command(
    "the API keys created on a site's page",
    z.strictObject({ site: wholeNumber }),
    async ({ site }, { config }) => {
      if (!(await findSite(config, site))) throw new ApiError("NOT_FOUND", `There is no site ${site}.`);
      return (await listApiKeys(config, site)).map(viewKey);
    },
  ),

  ...ANALYTICS_COMMANDS,
};

const viewSite = ({ id, workspace, domain, name, created }: ManagedSite) => ({
  id,
  workspace,
  domain,
  name,
  created: toIso(created),
});

const viewKey = ({ id, site, name, preview, member, expires }: ApiKeyRecord) => ({
  ...{ id, site, name, preview, member },
  expires: expires === null ? null : toIso(expires),
});
