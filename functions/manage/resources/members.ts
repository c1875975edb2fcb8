import * as z from "zod";
import { emailSchema, labelSchema, passwordSchema } from "../../../shared/domain/access/fields";
import {
  MAX_LISTED_SITES,
  type Member,
  ROLES,
  type Role,
  type SiteAccess,
} from "../../../shared/domain/access/member";
import { memberView, viewMember } from "../../../shared/domain/access/views";
import { ApiError } from "../../../shared/domain/errors";
import {
  createMember,
  deleteMember,
  findMember,
  listMembers,
  updateMember,
} from "../../../shared/storage/access/members";
import { requireSites } from "../../../shared/storage/access/sites";
import { type Call, type Route, reading, removing, writing } from "../route";

const path = "/api/manage/members";

const sitesSchema = z.union(
  [z.literal("all"), z.array(z.int().positive()).max(MAX_LISTED_SITES)],
  `must be "all" or a list of at most ${MAX_LISTED_SITES} site numbers`,
);

const newMember = z.strictObject({
  email: emailSchema,
  name: labelSchema,
  role: z.enum(ROLES).default("member"),
  sites: sitesSchema.exactOptional().describe("Needed for the role member; an owner has all."),
  password: passwordSchema.describe("For the first login; hand it over by a safe way."),
});

const memberChange = z.strictObject({
  name: labelSchema.exactOptional(),
  role: z.enum(ROLES).exactOptional(),
  sites: sitesSchema.exactOptional(),
  password: passwordSchema.exactOptional().describe("Ends every session of the member."),
  current_password: z.string().max(200).exactOptional().describe("Needed to change one's own password."),
});
type MemberChange = z.output<typeof memberChange>;

/** Owners manage members; anybody changes their own name and password. */
export const memberRoutes: readonly Route[] = [
  reading({
    method: "GET",
    path,
    summary: "Members of the workspace, in the order they were created",
    ownersOnly: true,
    answer: z.object({ members: z.array(memberView) }),
    handle: async ({ config, actor }) => ({
      members: (await listMembers(config, actor.workspace.workspace)).map(viewMember),
    }),
  }),
  writing({
    method: "POST",
    path,
    summary: "Add a member",
    ownersOnly: true,
    status: 201,
    body: newMember,
    answer: memberView,
    async handle({ config, clock, hashPassword, actor, body: { password, ...body } }) {
      const { workspace } = actor.workspace;
      const sites = accessOf(body.role, body.sites);
      await requireSites(config, workspace, sites);
      const passwordHash = await hashPassword(password);
      return viewMember(await createMember(config, { ...body, workspace, sites, passwordHash }, clock()));
    },
  }),
  reading({
    method: "GET",
    path: `${path}/{member_id}`,
    summary: "One member",
    answer: memberView,
    handle: async (call) => viewMember(await memberOf(call)),
  }),
  writing({
    method: "PATCH",
    path: `${path}/{member_id}`,
    summary: "Change a member; without being an owner, one's own name and password",
    body: memberChange,
    answer: memberView,
    async handle(call) {
      const { config, hashPassword, body } = call;
      const member = await memberOf(call);
      await authorizeChange(call, member);
      const { name = member.name, role = member.role } = body;
      const sites = accessOf(role, body.sites ?? (role === "owner" ? "all" : member.sites));
      if (body.sites) await requireSites(config, member.workspace, sites);
      const passwordHash =
        body.password === undefined ? {} : { passwordHash: await hashPassword(body.password) };
      return viewMember(await updateMember(config, member, { name, role, sites, ...passwordHash }));
    },
  }),
  removing({
    method: "DELETE",
    path: `${path}/{member_id}`,
    summary: "Remove a member; their sessions and API keys end at once",
    ownersOnly: true,
    handle: async (call) => deleteMember(call.config, await memberOf(call)),
  }),
];

/** The member of the path, as far as the caller may see members at all. Throws NOT_FOUND. */
async function memberOf({ config, actor, params }: Omit<Call, "body">): Promise<Member> {
  const number = Number(params.member_id);
  const isVisible = actor.member.role === "owner" || number === actor.member.member;
  const member = isVisible ? await findMember(config, actor.workspace.workspace, number) : null;
  if (!member) throw new ApiError("NOT_FOUND");
  return member;
}

async function authorizeChange(
  { actor, verifyPassword, body }: Call<MemberChange>,
  member: Member,
): Promise<void> {
  if (actor.member.role !== "owner" && (body.role !== undefined || body.sites !== undefined)) {
    throw new ApiError("FORBIDDEN", "Only owners of the workspace change roles and access.");
  }
  const isOwnPassword = body.password !== undefined && member.member === actor.member.member;
  if (isOwnPassword && !(await verifyPassword(body.current_password ?? "", member.passwordHash))) {
    throw new ApiError("BAD_REQUEST", "current_password: is not the password in use.");
  }
}

/** Throws BAD_REQUEST for an owner with less than all sites, and for a member without any statement. */
function accessOf(role: Role, sites: SiteAccess | undefined): SiteAccess {
  if (role === "owner") {
    if (sites === undefined || sites === "all") return "all";
    throw new ApiError("BAD_REQUEST", "sites: an owner has access to all sites.");
  }
  if (sites === undefined) throw new ApiError("BAD_REQUEST", "sites: is required.");
  return sites === "all" ? "all" : [...new Set(sites)].sort((a, b) => a - b);
}
