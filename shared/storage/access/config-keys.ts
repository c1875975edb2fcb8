import { createHash } from "node:crypto";

/** Key of one item. */
export interface ItemKey {
  readonly pk: string;
  readonly sk: string;
}

/**
 * Keys of workspaces, members, sites and API keys in the Config table. A workspace's own items share a partition, so
 * that one query lists its members or its sites; sites and API keys have their own, because they are found by
 * themselves on every request.
 */
const workspacePk = (workspace: number): string => `workspace#${workspace}`;
const sitePk = (site: number): string => `site#${site}`;

/** The last number given out of its kind. */
export const counterKey = (kind: "workspace" | "member" | "site"): ItemKey => ({ pk: "counter", sk: kind });

export const workspaceKey = (workspace: number): ItemKey => ({ pk: workspacePk(workspace), sk: "workspace" });

export const MEMBER_PREFIX = "member#";
export const memberKey = (workspace: number, member: number): ItemKey => ({
  pk: workspacePk(workspace),
  sk: MEMBER_PREFIX + member,
});
export const membersPk = workspacePk;

/** Holds an e-mail to one member of the service, and finds that member at login. Hashed: keys hold no personal data. */
export const emailKey = (email: string): ItemKey => ({ pk: `email#${sha256(email)}`, sk: "member" });

export const siteKey = (site: number): ItemKey => ({ pk: sitePk(site), sk: "site" });

/** Holds a domain to one site of the workspace, and lists the workspace's sites. */
export const DOMAIN_PREFIX = "domain#";
export const domainKey = (workspace: number, domain: string): ItemKey => ({
  pk: workspacePk(workspace),
  sk: DOMAIN_PREFIX + domain,
});
export const domainsPk = workspacePk;

/** What the authorizer finds a key by. Gone once the key is revoked. */
export const credentialKey = (hash: string): ItemKey => ({ pk: `credential#${hash}`, sk: "credential" });

/** What lists show of a key; stays, marked, when it is revoked. Ids are time-ordered, so lists are too. */
export const API_KEY_PREFIX = "api-key#";
export const apiKeyKey = (site: number, id: string): ItemKey => ({
  pk: sitePk(site),
  sk: API_KEY_PREFIX + id,
});
export const apiKeysPk = sitePk;

/** The site's one AI-access key. */
export const aiAccessKey = (site: number): ItemKey => ({ pk: sitePk(site), sk: "ai-access" });

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
