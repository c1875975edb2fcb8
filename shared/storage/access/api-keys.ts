import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import * as z from "zod";
import { hashApiKey, newApiKey, previewOf } from "../../domain/access/api-key";
import { API_KEY_KINDS, type ApiKeyKind, type ApiKeyRecord } from "../../domain/access/api-key-record";
import { API_PLAN } from "../../domain/access/principal";
import { ApiError } from "../../domain/errors";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Instant } from "../../domain/instant";
import { isConditionFailure } from "../dynamo";
import {
  API_KEY_PREFIX,
  apiKeyKey,
  apiKeysPk,
  credentialKey,
  type ItemKey,
  memberKey,
  siteKey,
  workspaceKey,
} from "./config-keys";
import { type ConfigTable, listItems, type Write, writeTogether } from "./config-table";

const apiKeyItem = z.object({
  id: z.string(),
  workspace: z.int(),
  site: z.int(),
  member: z.int(),
  kind: z.enum(API_KEY_KINDS),
  name: z.string(),
  preview: z.string(),
  hash: z.string(),
  created: z.int(),
  expires: z.int().nullable(),
});

export interface NewApiKey {
  readonly workspace: number;
  readonly site: number;
  readonly member: number;
  readonly name: string;
  readonly kind?: ApiKeyKind;
  readonly expires?: Instant | null;
}

/**
 * Creates a key and answers its full value, which is kept nowhere. Throws PLAN_REQUIRED when the workspace's plan has
 * no API access at that instant, NOT_FOUND when site or member are not of the workspace.
 */
export async function createApiKey(
  config: ConfigTable,
  { workspace, site, member, name, kind = "api", expires = null }: NewApiKey,
  { now, random }: { readonly now: Instant; readonly random: RandomBytes },
): Promise<{ readonly key: ApiKeyRecord; readonly value: string }> {
  const value = newApiKey({ workspace, member }, random);
  const hash = hashApiKey(value);
  const id = newId("key", now, random);
  const preview = previewOf(value);
  const key: ApiKeyRecord = { id, workspace, site, member, kind, name, preview, hash, created: now, expires };
  await writeTogether(config, [
    requireThat(config, workspaceKey(workspace), { plan: API_PLAN }, () => new ApiError("PLAN_REQUIRED")),
    requireThat(config, siteKey(site), { workspace }, () => notFound(`The workspace has no site ${site}.`)),
    requireThat(config, memberKey(workspace, member), { member }, () =>
      notFound(`The workspace has no member ${member}.`),
    ),
    put(config, credentialKey(hash), { keyId: id, workspace, member, expires }),
    put(config, apiKeyKey(site, id), { ...key }),
  ]);
  return { key, value };
}

/** Keys created on a site's own page, oldest first; without revoked ones, the plugin's and the MCP key. */
export async function listApiKeys(config: ConfigTable, site: number): Promise<readonly ApiKeyRecord[]> {
  const items = await listItems(config, apiKeysPk(site), API_KEY_PREFIX);
  return items.filter(isListed).map((item) => apiKeyItem.parse(item));
}

/** A key that {@link listApiKeys} shows, or null. */
export async function findApiKey(
  config: ConfigTable,
  site: number,
  id: string,
): Promise<ApiKeyRecord | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: apiKeyKey(site, id), ConsistentRead: true }),
  );
  return Item && isListed(Item) ? apiKeyItem.parse(Item) : null;
}

/** Throws NOT_FOUND for a key revoked meanwhile. */
export async function renameApiKey(
  config: ConfigTable,
  key: ApiKeyRecord,
  name: string,
): Promise<ApiKeyRecord> {
  try {
    await config.dynamo.send(
      new UpdateCommand({
        TableName: config.table,
        Key: apiKeyKey(key.site, key.id),
        UpdateExpression: "SET #name = :name",
        ConditionExpression: ACTIVE,
        ExpressionAttributeNames: { "#name": "name" },
        ExpressionAttributeValues: { ":name": name },
      }),
    );
    return { ...key, name };
  } catch (error) {
    throw isConditionFailure(error) ? notFound() : error;
  }
}

/** Ends a key at once and for good: what the authorizer finds it by is deleted. Throws NOT_FOUND the second time. */
export async function revokeApiKey(config: ConfigTable, key: ApiKeyRecord, now: Instant): Promise<void> {
  await writeTogether(config, [
    {
      action: {
        Update: {
          TableName: config.table,
          Key: apiKeyKey(key.site, key.id),
          UpdateExpression: "SET revoked = :now",
          ConditionExpression: ACTIVE,
          ExpressionAttributeValues: { ":now": now },
        },
      },
      otherwise: notFound,
    },
    { action: { Delete: { TableName: config.table, Key: credentialKey(key.hash) } } },
  ]);
}

const ACTIVE = "attribute_exists(pk) AND attribute_not_exists(revoked)";

const notFound = (message?: string) => new ApiError("NOT_FOUND", message);

const isListed = (item: Record<string, unknown>): boolean =>
  item.kind === "api" && item.revoked === undefined;

function put(config: ConfigTable, key: ItemKey, item: Record<string, unknown>): Write {
  const Item = { ...key, ...item };
  return {
    action: { Put: { TableName: config.table, Item, ConditionExpression: "attribute_not_exists(pk)" } },
  };
}

/** The item exists and has these values. */
function requireThat(
  config: ConfigTable,
  key: ItemKey,
  expected: Readonly<Record<string, string | number>>,
  otherwise: () => Error,
): Write {
  const entries = Object.entries(expected);
  return {
    action: {
      ConditionCheck: {
        TableName: config.table,
        Key: key,
        ConditionExpression: entries.map((_, i) => `#n${i} = :v${i}`).join(" AND "),
        ExpressionAttributeNames: Object.fromEntries(entries.map(([name], i) => [`#n${i}`, name])),
        ExpressionAttributeValues: Object.fromEntries(entries.map(([, value], i) => [`:v${i}`, value])),
      },
    },
    otherwise,
  };
}
