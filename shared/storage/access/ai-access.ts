import { GetCommand } from "@aws-sdk/lib-dynamodb";
import type { ApiKeyRecord } from "../../domain/access/api-key-record";
import { ApiError } from "../../domain/errors";
import { aiAccessKey } from "./config-keys";
import { type ConfigTable, type Write, writeTogether } from "./config-table";
import { apiKeyItem, dropCredential, type KeyMaking, type KeyPurpose, makeKey } from "./new-api-key";

/** The site's AI-access (MCP) key, or null. A site has one at most, and it is an item of its own, in no list of API keys. */
export async function findAiAccess(config: ConfigTable, site: number): Promise<ApiKeyRecord | null> {
  const { Item } = await config.dynamo.send(
    new GetCommand({ TableName: config.table, Key: aiAccessKey(site), ConsistentRead: true }),
  );
  return Item ? apiKeyItem.parse(Item) : null;
}

/**
 * Makes the site's AI-access key and ends `old`, the one it had, in one transaction: at no instant do both open anything.
 * Throws CONFLICT when `old` is no longer the one there, PLAN_REQUIRED and NOT_FOUND as for an API key.
 */
export async function replaceAiAccess(
  config: ConfigTable,
  purpose: Pick<KeyPurpose, "workspace" | "site" | "member">,
  old: ApiKeyRecord | null,
  making: KeyMaking,
): Promise<{ readonly key: ApiKeyRecord; readonly value: string }> {
  const complete = { ...purpose, name: "AI access", kind: "mcp", expires: null } as const;
  const { key, value, writes } = makeKey(config, complete, making);
  const record: Write = {
    action: {
      Put: {
        TableName: config.table,
        Item: { ...aiAccessKey(key.site), ...key },
        ...(old ? stillThere(old) : { ConditionExpression: "attribute_not_exists(pk)" }),
      },
    },
    otherwise: () =>
      new ApiError("CONFLICT", "The key was replaced or revoked by someone else meanwhile. Look again."),
  };
  await writeTogether(config, [...writes, record, ...(old ? [dropCredential(config, old)] : [])]);
  return { key, value };
}

/** Ends the key at once and for good. Throws NOT_FOUND when it is no longer the one there. */
export async function revokeAiAccess(config: ConfigTable, key: ApiKeyRecord): Promise<void> {
  const record: Write = {
    action: { Delete: { TableName: config.table, Key: aiAccessKey(key.site), ...stillThere(key) } },
    otherwise: () => new ApiError("NOT_FOUND"),
  };
  await writeTogether(config, [record, dropCredential(config, key)]);
}

const stillThere = ({ id }: ApiKeyRecord) => ({
  ConditionExpression: "id = :id",
  ExpressionAttributeValues: { ":id": id },
});
