import * as z from "zod";

/** The properties the local run reads, by resource type, after intrinsics are resolved. The rest is ignored. */
const number = z.coerce.number();
const strings = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

const keySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(["HASH", "RANGE"]) }));

export const tableProperties = z.object({
  KeySchema: keySchema,
  AttributeDefinitions: z.array(
    z.object({ AttributeName: z.string(), AttributeType: z.enum(["S", "N", "B"]) }),
  ),
  GlobalSecondaryIndexes: z
    .array(
      z.object({
        IndexName: z.string(),
        KeySchema: keySchema,
        Projection: z.object({
          ProjectionType: z.enum(["ALL", "KEYS_ONLY", "INCLUDE"]),
          NonKeyAttributes: z.array(z.string()).optional(),
        }),
      }),
    )
    .default([]),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.coerce.boolean() }).optional(),
});

export const queueProperties = z.looseObject({});

export const functionProperties = z.object({
  Handler: z.string(),
  Role: z.string(),
  Timeout: number.default(3),
  MemorySize: number.default(128),
  Code: z.object({ S3Key: z.string().optional() }),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).optional(),
});

export const statement = z.object({
  Effect: z.enum(["Allow", "Deny"]),
  Action: strings,
  Resource: strings,
  Condition: z.unknown().optional(),
});
const policyDocument = z.object({
  Statement: z.union([statement.transform((one) => [one]), z.array(statement)]),
});

export const roleProperties = z.object({
  Policies: z.array(z.object({ PolicyDocument: policyDocument })).default([]),
});

export const policyProperties = z.object({
  PolicyDocument: policyDocument,
  Roles: z.array(z.string()).default([]),
});

export const permissionProperties = z.object({ FunctionName: z.string(), Principal: z.string() });

export const sourceProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: number.default(10),
  MaximumBatchingWindowInSeconds: number.default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: number.optional() }).default({}),
  Enabled: z.coerce.boolean().default(true),
});

export const routeProperties = z.object({
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizerId: z.string().optional(),
});

export const integrationProperties = z.object({
  IntegrationType: z.literal("AWS_PROXY"),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal("2.0"),
  TimeoutInMillis: number.default(30_000),
});

export const authorizerProperties = z.object({
  AuthorizerType: z.literal("REQUEST"),
  AuthorizerUri: z.string(),
  AuthorizerPayloadFormatVersion: z.literal("2.0"),
  EnableSimpleResponses: z.coerce.boolean().default(false),
  IdentitySource: z.array(z.string()).default([]),
  AuthorizerResultTtlInSeconds: number.default(0),
});

export const stageProperties = z.object({ StageName: z.literal("$default") });

export const ruleProperties = z.object({
  ScheduleExpression: z.string().optional(),
  EventPattern: z.unknown().optional(),
  EventBusName: z.string().default("default"),
  State: z.string().default("ENABLED"),
  Targets: z.array(z.object({ Arn: z.string(), Input: z.string().optional() })).default([]),
});

export const scheduleProperties = z.object({
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.literal("UTC").optional(),
  State: z.string().default("ENABLED"),
  Target: z.object({ Arn: z.string(), Input: z.string().optional() }),
});
