import { GetCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import type { SiteAccess } from "../../domain/access/member";
import type { Site } from "../../domain/access/principal";
import { ApiError } from "../../domain/errors";
import type { Instant } from "../../domain/instant";
import type { SiteDirectory } from "../../ports/sites";
import type { Dynamo } from "../dynamo";
import { chunks } from "../transact";
import { DOMAIN_PREFIX, domainKey, domainsPk, siteKey, workspaceKey } from "./config-keys";
import {
  type ConfigTable,
  listItems,
  nextNumber,
  readTogether,
  type Write,
  writeTogether,
} from "./config-table";

export { cachedSites } from "./sites-cached";

/** A site with what only its management shows. */
export interface ManagedSite extends Site {
  readonly created: Instant;
}

const siteItem = z.object({
  id: z.int(),
  workspace: z.int(),
  domain: z.string(),
  name: z.string(),
  created: z.int(),
});
const parseSite = (item: unknown): ManagedSite => siteItem.parse(item);

/** Looks sites up by number, consistently: a site can be read from the moment it was created. */
export function createSiteDirectory(dynamo: Dynamo, table: string): SiteDirectory {
  return { find: (site) => findSite({ dynamo, table }, site) };
}

export async function findSite(config: ConfigTable, site: number): Promise<ManagedSite | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: siteKey(site), ConsistentRead: true }),
  );
  return Item ? parseSite(Item) : null;
}

/**
 * Creates a site. `domain` is normalised (see `normalizeDomain`) and unique in its workspace, also under concurrent
 * creations. Throws CONFLICT for a taken domain, NOT_FOUND for an unknown workspace.
 */
export async function createSite(
  config: ConfigTable,
  { workspace, domain, name }: Pick<Site, "workspace" | "domain" | "name">,
  now: Instant,
): Promise<ManagedSite> {
  const site: ManagedSite = { id: await nextNumber(config, "site"), workspace, domain, name, created: now };
  await writeTogether(config, [
    claimDomain(config, site),
    {
      action: {
        ConditionCheck: {
          TableName: config.table,
          Key: workspaceKey(workspace),
          ConditionExpression: "attribute_exists(pk)",
        },
      },
      otherwise: () => new ApiError("NOT_FOUND", `There is no workspace ${workspace}.`),
    },
    {
      action: {
        Put: {
          TableName: config.table,
          Item: { ...siteKey(site.id), ...site },
          ConditionExpression: "attribute_not_exists(pk)",
        },
      },
    },
  ]);
  return site;
}

/** Sites of a workspace in the order they were created. */
export async function listSites(config: ConfigTable, workspace: number): Promise<readonly ManagedSite[]> {
  const claims = await listItems(config, domainsPk(workspace), DOMAIN_PREFIX);
  const keys = claims.map((claim) => siteKey(claim.site as number));
  const found = await Promise.all(chunks(keys, 100).map((some) => readTogether(config, some)));
  return found
    .flat()
    .map(parseSite)
    .sort((a, b) => a.id - b.id);
}

/** Renames a site or moves it to another domain. Throws CONFLICT for a taken domain or a change made meanwhile. */
export async function updateSite(
  config: ConfigTable,
  site: ManagedSite,
  change: Partial<Pick<Site, "domain" | "name">>,
): Promise<ManagedSite> {
  const changed: ManagedSite = { ...site, ...change };
  const moves = changed.domain !== site.domain;
  const release: Write = {
    action: { Delete: { TableName: config.table, Key: domainKey(site.workspace, site.domain) } },
  };
  await writeTogether(config, [
    ...(moves ? [claimDomain(config, changed)] : []),
    {
      action: {
        Update: {
          TableName: config.table,
          Key: siteKey(site.id),
          UpdateExpression: "SET #domain = :domain, #name = :name",
          ConditionExpression: "#domain = :domainBefore AND #name = :nameBefore",
          ExpressionAttributeNames: { "#domain": "domain", "#name": "name" },
          ExpressionAttributeValues: {
            ":domain": changed.domain,
            ":name": changed.name,
            ":domainBefore": site.domain,
            ":nameBefore": site.name,
          },
        },
      },
      otherwise: () =>
        new ApiError(
          "CONFLICT",
          "This site was changed by someone else meanwhile. Read it again and repeat.",
        ),
    },
    ...(moves ? [release] : []),
  ]);
  return changed;
}

/** Throws BAD_REQUEST when a list of access names a site that the workspace does not have. */
export async function requireSites(config: ConfigTable, workspace: number, sites: SiteAccess): Promise<void> {
  if (sites === "all") return;
  const own = new Set((await listSites(config, workspace)).map((site) => site.id));
  const stranger = sites.find((site) => !own.has(site));
  if (stranger !== undefined) {
    throw new ApiError("BAD_REQUEST", `sites: the workspace has no site ${stranger}.`);
  }
}

function claimDomain(config: ConfigTable, { id, workspace, domain }: Site): Write {
  return {
    action: {
      Put: {
        TableName: config.table,
        Item: { ...domainKey(workspace, domain), site: id },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
    otherwise: () => new ApiError("CONFLICT", `The workspace has a site with the domain ${domain} already.`),
  };
}
