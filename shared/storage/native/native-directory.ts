import { timingSafeEqual } from "node:crypto";
import { GetCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { hashSecret } from "../../domain/conversion/receiving-webhook";
import { parseNativeToken } from "../../domain/native/integration";
import type { NativeDirectory } from "../../ports/native-integrations";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { nativeIntegrationKey } from "./native-integration-keys";
import { fromItem, itemSchema } from "./native-integrations-item";

/** Finds integrations by their secret URL: one consistent read, so that a deleted URL is dead at once. */
export function createNativeDirectory(dynamo: Dynamo, table: string): NativeDirectory {
  return {
    async findByToken(kind, text) {
      const token = parseNativeToken(text);
      if (!token) return null;
      const { Item } = await dynamo.send(
        new GetCommand({
          TableName: table,
          Key: nativeIntegrationKey(token.site, kind),
          ConsistentRead: true,
        }),
      );
      if (!Item) return null;
      const { secret_hash: expected } = itemSchema.parse(Item);
      const isRight = timingSafeEqual(Buffer.from(hashSecret(token.secret)), Buffer.from(expected));
      return isRight ? fromItem(Item) : null;
    },

    async noteReceived({ site, kind, id }, received) {
      try {
        await dynamo.send(
          new UpdateCommand({
            TableName: table,
            Key: nativeIntegrationKey(site, kind),
            UpdateExpression: "SET last_received = :received",
            ConditionExpression: "id = :id",
            ExpressionAttributeValues: { ":received": received, ":id": id },
          }),
        );
      } catch (error) {
        if (!isConditionFailure(error)) throw error;
      }
    },
  };
}
