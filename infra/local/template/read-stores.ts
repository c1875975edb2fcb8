import type { KeyModel, QueueModel, TableModel } from "./model";
import type { Resources } from "./resources";
import * as schemas from "./schemas";

/** The tables, with their keys, indexes and expiry. */
export const readTables = (resources: Resources): TableModel[] => [
  ...tablesOf(resources, "AWS::DynamoDB::Table"),
  ...tablesOf(resources, "AWS::DynamoDB::GlobalTable"),
];

function tablesOf(resources: Resources, type: string): TableModel[] {
  return resources.each(type, schemas.tableProperties, (table, logicalId, resource) => ({
    logicalId,
    name: resources.name(logicalId, resource),
    key: keyOf(table.KeySchema),
    attributes: Object.fromEntries(
      table.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]),
    ),
    indexes: table.GlobalSecondaryIndexes.map((index) => ({
      name: index.IndexName,
      key: keyOf(index.KeySchema),
      projection: index.Projection.ProjectionType,
      ...(index.Projection.NonKeyAttributes ? { include: index.Projection.NonKeyAttributes } : {}),
    })),
    ...(table.TimeToLiveSpecification?.Enabled
      ? { ttlAttribute: table.TimeToLiveSpecification.AttributeName }
      : {}),
  }));
}

/** What CloudFormation and SQS call alike. */
const QUEUE_ATTRIBUTES = [
  "DelaySeconds",
  "VisibilityTimeout",
  "MessageRetentionPeriod",
  "MaximumMessageSize",
  "ReceiveMessageWaitTimeSeconds",
  "RedrivePolicy",
  "FifoQueue",
  "ContentBasedDeduplication",
];

/** The queues, with their attributes as SQS takes them. */
export function readQueues(resources: Resources): QueueModel[] {
  return resources.each("AWS::SQS::Queue", schemas.queueProperties, (properties, logicalId, resource) => ({
    logicalId,
    name: resources.name(logicalId, resource),
    arn: resources.arn(logicalId, resource),
    attributes: Object.fromEntries(
      QUEUE_ATTRIBUTES.flatMap((name) => {
        const value = properties[name];
        if (value === undefined) return [];
        return [[name, typeof value === "object" ? JSON.stringify(value) : String(value)]];
      }),
    ),
  }));
}

function keyOf(schema: readonly { AttributeName: string; KeyType: string }[]): KeyModel {
  const named = (type: string) => schema.find((one) => one.KeyType === type)?.AttributeName;
  const sort = named("RANGE");
  return { partition: named("HASH") ?? "", ...(sort === undefined ? {} : { sort }) };
}
