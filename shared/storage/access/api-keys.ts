import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { ApiKeyKind, ApiKeyRecord } from "../../domain/access/api-key-record";
import { ApiError } from "../../domain/errors";
import type { Instant } from "../../domain/instant";
import { isConditionFailure } from "../dynamo";
import { API_KEY_PREFIX, apiKeyKey, apiKeysPk } from "./config-keys";
import { type ConfigTable, listItems, type Write, writeTogether } from "./config-table";
import { apiKeyItem, dropCredential, type KeyMaking, makeKey } from "./new-api-key";

/** A key for the read API; the AI-access key is made by `replaceAiAccess`. */
export interface NewApiKey {
  readonly workspace: number;
  readonly site: number;
  readonly member: number;
  readonly name: string;
  readonly kind?: Exclude<ApiKeyKind, "mcp">;
  readonly expires?: Instant | null;
}

/**
 * Creates a key and answers its full value, which is kept nowhere. Throws PLAN_REQUIRED when the workspace's plan has
 * no API access at that instant, NOT_FOUND when site or member are not of the workspace.
 */
export async function createApiKey(
  config: ConfigTable,
  input: NewApiKey,
  making: KeyMaking,
): Promise<{ readonly key: ApiKeyRecord; readonly value: string }> {
  const { workspace, site, member, name, kind = "api", expires = null } = input;
  const { key, value, writes } = makeKey(config, { workspace, site, member, name, kind, expires }, making);
  const record: Write = {
    action: {
      Put: {
        TableName: config.table,
        Item: { ...apiKeyKey(site, key.id), ...key },
        ConditionExpression: "attribute_not_exists(pk)",
      },
    },
  };
  await writeTogether(config, [...writes, record]);
  return { key, value };
}

/** Keys created on a site's own page, oldest first; without revoked ones and the plugin's. */
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
    dropCredential(config, key),
  ]);
}

const ACTIVE = "attribute_exists(pk) AND attribute_not_exists(revoked)";

const notFound = (message?: string) => new ApiError("NOT_FOUND", message);

const isListed = (item: Record<string, unknown>): boolean =>
  item.kind === "api" && item.revoked === undefined;
