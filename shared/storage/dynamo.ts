import { DynamoDBClient, type DynamoDBClientConfig } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";

export type Dynamo = DynamoDBDocumentClient;

/** By default the client waits for ever. Three attempts within this end well before a worker's time does. */
const PATIENCE = { connectionTimeout: 1_000, requestTimeout: 5_000, throwOnRequestTimeout: true };

/** The document client every storage module is given. Undefined values are dropped; binaries come back as Uint8Array. */
export function createDynamo(config: DynamoDBClientConfig = {}): Dynamo {
  return DynamoDBDocumentClient.from(new DynamoDBClient({ requestHandler: PATIENCE, ...config }), {
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
