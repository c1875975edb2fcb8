import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { AWS_CLIENT } from "../adapters/aws-client";

export type Dynamo = DynamoDBDocumentClient;

/**
 * The document client every storage module is given, as patient as {@link AWS_CLIENT} unless told. Undefined values are
 * dropped; binaries come back as Uint8Array.
 */
export function createDynamo(config: DynamoDBClientConfig = {}): Dynamo {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ ...AWS_CLIENT, ...config }), {
    marshallOptions: { removeUndefinedValues: true },
  });
}

/** True for the error of a failed condition, also inside a cancelled transaction. */
export function isConditionFailure(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "ConditionalCheckFailedException") return true;
  if (error.name !== "TransactionCanceledException") return false;
  const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
  return reasons.some((reason) => reason.Code === "ConditionalCheckFailed");
}

/** True for the error of a request the table will never take: an item that is too large, or holds what cannot be stored. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Error && (error.name === "ValidationException" || error.name === "SerializationException");
