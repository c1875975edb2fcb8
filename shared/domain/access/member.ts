import type { Instant } from "../instant";
import type { Plan, Site } from "./principal";

/** Owners shape the workspace (plan, members, sites); members work with the sites they are given. */
export const ROLES = ["owner", "member"] as const;
export type Role = (typeof ROLES)[number];

/** All sites of the workspace, those to come included, or those listed. */
export type SiteAccess = "all" | readonly number[];

/** The most sites a list of access can name; keeps the authorizer's answer far below the gateway's limit. */
export const MAX_LISTED_SITES = 200;

export interface Workspace {
  readonly workspace: number;
  readonly name: string;
  readonly plan: Plan;
  readonly created: Instant;
  /** How many members are owners; never falls to 0. */
  readonly owners: number;
}

export interface Member {
  readonly workspace: number;
  /** Unique in the whole service. */
  readonly member: number;
  /** Trimmed, lower case; unique in the whole service. */
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  /** Always `all` for an owner. */
  readonly sites: SiteAccess;
  readonly created: Instant;
  readonly passwordHash: string;
  /** Grows with every change of the password; sessions of an earlier version are void. */
  readonly passwordVersion: number;
}

/** Whether `member` may see `site` at all. To others it does not exist. */
export const maySee = (member: Pick<Member, "workspace" | "sites">, site: Site): boolean =>
  site.workspace === member.workspace && (member.sites === "all" || member.sites.includes(site.id));
