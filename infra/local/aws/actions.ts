import { ACCOUNT } from "../template/addresses";

/** One thing a request needs its caller to be allowed. */
export interface Need {
  /** Such as `dynamodb:PutItem`. */
  readonly action: string;
  readonly resource: string;
}

/** The fields of a request that say what it touches; nothing else of the body is looked at. */
interface RequestBody {
  readonly TableName?: string;
  readonly IndexName?: string;
  readonly RequestItems?: Readonly<Record<string, unknown>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly TableName?: string } | undefined>>[];
  readonly QueueUrl?: string;
  readonly KeyId?: string;
  readonly Entries?: readonly { readonly EventBusName?: string }[];
}

const TRANSACTION_ACTIONS: Readonly<Record<string, string>> = {
  Put: "PutItem",
  Update: "UpdateItem",
  Delete: "DeleteItem",
  ConditionCheck: "ConditionCheckItem",
  Get: "GetItem",
};

const BATCH_ACTIONS: Readonly<Record<string, string>> = {
  SendMessageBatch: "SendMessage",
  DeleteMessageBatch: "DeleteMessage",
  ChangeMessageVisibilityBatch: "ChangeMessageVisibility",
};

/**
 * What IAM asks of the caller of a request: DynamoDB's transactions need the actions of their items, SQS's batches the
 * single action, everything else its own name. `operation` is the part of X-Amz-Target behind the dot.
 */
export function needsOf(service: Service, operation: string, body: unknown, region: string): Need[] {
  const request = (typeof body === "object" && body !== null ? body : {}) as RequestBody;
  switch (service) {
    case "dynamodb":
      return dynamoNeeds(operation, request, region);
    case "sqs": {
      const name = String(request.QueueUrl ?? "*")
        .split("/")
        .at(-1);
      const resource = `arn:aws:sqs:${region}:${ACCOUNT}:${name}`;
      return [{ action: `sqs:${BATCH_ACTIONS[operation] ?? operation}`, resource }];
    }
    case "kms":
      return [{ action: `kms:${operation}`, resource: keyArn(request.KeyId, region) }];
    case "events":
      return (Array.isArray(request.Entries) ? request.Entries : []).map((entry) => ({
        action: `events:${operation}`,
        resource: busArn(entry?.EventBusName ?? "default", region),
      }));
  }
}

export type Service = "dynamodb" | "sqs" | "events" | "kms";

/** The service an X-Amz-Target names, by its prefix. */
export const SERVICES: Readonly<Record<string, Service>> = {
  DynamoDB_20120810: "dynamodb",
  AmazonSQS: "sqs",
  AWSEvents: "events",
  TrentService: "kms",
};

function dynamoNeeds(operation: string, request: RequestBody, region: string): Need[] {
  if (request.TransactItems) {
    return request.TransactItems.flatMap((item) =>
      Object.entries(item).map(([kind, part]) => ({
        action: `dynamodb:${TRANSACTION_ACTIONS[kind] ?? kind}`,
        resource: tableArn(part?.TableName, region),
      })),
    );
  }
  const action = `dynamodb:${operation}`;
  if (request.RequestItems) {
    return Object.keys(request.RequestItems).map((table) => ({ action, resource: tableArn(table, region) }));
  }
  const table = tableArn(request.TableName, region);
  return [
    { action, resource: request.IndexName === undefined ? table : `${table}/index/${request.IndexName}` },
  ];
}

const tableArn = (table: unknown, region: string): string =>
  String(table).startsWith("arn:")
    ? String(table)
    : `arn:aws:dynamodb:${region}:${ACCOUNT}:table/${table ?? "*"}`;

const keyArn = (key: unknown, region: string): string =>
  String(key).startsWith("arn:") ? String(key) : `arn:aws:kms:${region}:${ACCOUNT}:key/${key ?? "*"}`;

const busArn = (bus: string, region: string): string =>
  bus.startsWith("arn:") ? bus : `arn:aws:events:${region}:${ACCOUNT}:event-bus/${bus}`;
