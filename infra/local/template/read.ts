import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import * as z from "zod";
import { LocalFailure, messageOf } from "../failure";
import { ACCOUNT, LocalAddresses, type Place } from "./addresses";
import { Intrinsics, type RawResource, type RawTemplate } from "./intrinsics";
import type {
  AuthorizerModel,
  FunctionModel,
  KeyModel,
  QueueModel,
  RouteModel,
  ServiceModel,
  Statement,
  TableModel,
} from "./model";
import * as schemas from "./schemas";

/** Types that change nothing about what the service answers on one machine. */
const IRRELEVANT = new Set([
  "AWS::CDK::Metadata",
  "AWS::CloudWatch::Alarm",
  "AWS::CloudWatch::Dashboard",
  "AWS::Logs::LogGroup",
  "AWS::Logs::MetricFilter",
  "AWS::Logs::ResourcePolicy",
  "AWS::SNS::Topic",
  "AWS::SNS::TopicPolicy",
  "AWS::SNS::Subscription",
  "AWS::SQS::QueuePolicy",
  "AWS::Scheduler::ScheduleGroup",
  "AWS::KMS::Key",
  "AWS::KMS::Alias",
  "AWS::Lambda::EventInvokeConfig",
]);

/**
 * Reads the synthesised template at `file` and resolves it for this machine.
 * @throws LocalFailure naming the resource that cannot be understood
 */
export function readTemplate(file: string, place: Place): ServiceModel {
  if (!existsSync(file))
    throw new LocalFailure(`There is no template at ${file}. Run \`npm run synth\` first.`);
  return new TemplateReader(JSON.parse(readFileSync(file, "utf8")) as RawTemplate, file, place).read();
}

class TemplateReader {
  private readonly addresses: LocalAddresses;
  private readonly intrinsics: Intrinsics;
  private readonly played = new Set<string>();

  constructor(
    private readonly template: RawTemplate,
    private readonly file: string,
    place: Place,
  ) {
    this.addresses = new LocalAddresses(place, (value) => this.intrinsics.resolve(value));
    const stack = basename(file, ".template.json");
    const pseudo = {
      "AWS::Region": place.region,
      "AWS::AccountId": ACCOUNT,
      "AWS::Partition": "aws",
      "AWS::URLSuffix": "amazonaws.com",
      "AWS::StackName": stack,
      "AWS::StackId": `arn:aws:cloudformation:${place.region}:${ACCOUNT}:stack/${stack}/local`,
    };
    this.intrinsics = new Intrinsics(template, pseudo, this.addresses);
  }

  read(): ServiceModel {
    this.each("AWS::ApiGatewayV2::Api", z.unknown(), () => null);
    this.each("AWS::ApiGatewayV2::Stage", schemas.stageProperties, () => null);
    const rules = this.each("AWS::Events::Rule", schemas.ruleProperties, (rule, logicalId) => ({
      ...rule,
      logicalId,
    }));
    return {
      tables: [...this.tables("AWS::DynamoDB::Table"), ...this.tables("AWS::DynamoDB::GlobalTable")],
      queues: this.queues(),
      functions: this.functions(),
      routes: this.routes(),
      sources: this.each(
        "AWS::Lambda::EventSourceMapping",
        schemas.sourceProperties,
        (source, logicalId) => ({
          logicalId,
          queueArn: source.EventSourceArn,
          functionArn: this.functionArn(source.FunctionName),
          batchSize: source.BatchSize,
          windowMs: source.MaximumBatchingWindowInSeconds * 1000,
          reportsFailures: source.FunctionResponseTypes.includes("ReportBatchItemFailures"),
          ...(source.ScalingConfig.MaximumConcurrency === undefined
            ? {}
            : { maxConcurrency: source.ScalingConfig.MaximumConcurrency }),
        }),
      ),
      schedules: [
        ...this.each("AWS::Scheduler::Schedule", schemas.scheduleProperties, (schedule, logicalId) => ({
          logicalId,
          expression: schedule.ScheduleExpression,
          functionArn: schedule.Target.Arn,
          ...input(schedule.Target.Input),
        })),
        ...rules.flatMap(({ ScheduleExpression: expression, Targets, logicalId }) =>
          expression === undefined
            ? []
            : Targets.map((target) => ({
                logicalId,
                expression,
                functionArn: target.Arn,
                ...input(target.Input),
              })),
        ),
      ],
      buses: this.each("AWS::Events::EventBus", z.unknown(), (_, logicalId, resource) => ({
        name: this.addresses.name(logicalId, resource),
        arn: this.arn(logicalId, resource),
      })),
      rules: rules
        .filter((rule) => rule.EventPattern !== undefined)
        .map((rule) => ({
          logicalId: rule.logicalId,
          busName: rule.EventBusName.split("/").at(-1) ?? "default",
          pattern: rule.EventPattern,
          targetArns: rule.Targets.map((target) => target.Arn),
        })),
      unplayed: this.unplayed(),
    };
  }

  /** Every resource of a type with its properties resolved and parsed. */
  private each<Properties, Model>(
    type: string,
    schema: z.ZodType<Properties>,
    toModel: (properties: Properties, logicalId: string, resource: RawResource) => Model,
  ): Model[] {
    this.played.add(type);
    return Object.entries(this.template.Resources)
      .filter(([, resource]) => resource.Type === type && this.intrinsics.holds(resource.Condition))
      .map(([logicalId, resource]) => {
        try {
          const properties = schema.parse(this.intrinsics.resolve(resource.Properties ?? {}));
          return toModel(properties, logicalId, resource);
        } catch (error) {
          const reason =
            error instanceof z.ZodError ? z.prettifyError(error).replace(/\s+/g, " ") : messageOf(error);
          throw new LocalFailure(`The template's ${logicalId} (${type}) cannot run locally: ${reason}`);
        }
      });
  }

  private tables(type: string): TableModel[] {
    return this.each(type, schemas.tableProperties, (table, logicalId, resource) => ({
      logicalId,
      name: this.addresses.name(logicalId, resource),
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

  private queues(): QueueModel[] {
    return this.each("AWS::SQS::Queue", schemas.queueProperties, (properties, logicalId, resource) => ({
      logicalId,
      name: this.addresses.name(logicalId, resource),
      arn: this.arn(logicalId, resource),
      attributes: Object.fromEntries(
        QUEUE_ATTRIBUTES.flatMap(([property, attribute]) => {
          const value = properties[property];
          if (value === undefined) return [];
          return [[attribute, typeof value === "object" ? JSON.stringify(value) : String(value)]];
        }),
      ),
    }));
  }

  private functions(): FunctionModel[] {
    const statements = this.statementsByRole();
    const permissions = this.each(
      "AWS::Lambda::Permission",
      schemas.permissionProperties,
      (permission) => permission,
    );
    return this.each(
      "AWS::Lambda::Function",
      schemas.functionProperties,
      (properties, logicalId, resource) => {
        const name = this.addresses.name(logicalId, resource);
        const arn = this.arn(logicalId, resource);
        return {
          logicalId,
          name,
          arn,
          roleArn: properties.Role,
          codeDir: this.codeDir(resource, properties.Code.S3Key),
          handler: properties.Handler,
          timeoutMs: properties.Timeout * 1000,
          memoryMb: properties.MemorySize,
          environment: properties.Environment?.Variables ?? {},
          statements: statements.get(properties.Role.split("/").at(-1) ?? "") ?? [],
          invokers: permissions
            .filter(({ FunctionName }) => FunctionName === arn || FunctionName === name)
            .map(({ Principal }) => Principal),
        };
      },
    );
  }

  private statementsByRole(): Map<string, Statement[]> {
    const byRole = new Map<string, Statement[]>();
    const add = (role: string, statements: z.infer<typeof schemas.statement>[]) =>
      byRole.set(role, [
        ...(byRole.get(role) ?? []),
        // An allowance under a condition is not granted: conditions are not judged here.
        ...statements
          .filter((one) => one.Effect === "Deny" || one.Condition === undefined)
          .map((one) => ({ effect: one.Effect, actions: one.Action, resources: one.Resource })),
      ]);
    this.each("AWS::IAM::Role", schemas.roleProperties, (role, logicalId, resource) => {
      for (const policy of role.Policies) {
        add(this.addresses.name(logicalId, resource), policy.PolicyDocument.Statement);
      }
    });
    this.each("AWS::IAM::Policy", schemas.policyProperties, (policy) => {
      for (const role of policy.Roles) add(role, policy.PolicyDocument.Statement);
    });
    return byRole;
  }

  private routes(): RouteModel[] {
    const integrations = new Map(
      this.each("AWS::ApiGatewayV2::Integration", schemas.integrationProperties, (integration, logicalId) => [
        logicalId,
        integration,
      ]),
    );
    const authorizers = new Map<string, AuthorizerModel>(
      this.each("AWS::ApiGatewayV2::Authorizer", schemas.authorizerProperties, (authorizer, logicalId) => {
        if (authorizer.AuthorizerResultTtlInSeconds > 0) throw new LocalFailure("its results are cached.");
        return [
          logicalId,
          {
            functionArn: this.functionArn(authorizer.AuthorizerUri),
            identitySources: authorizer.IdentitySource,
            simpleResponses: authorizer.EnableSimpleResponses,
          },
        ];
      }),
    );
    return this.each("AWS::ApiGatewayV2::Route", schemas.routeProperties, (route) => {
      const integration = integrations.get(route.Target.replace(/^integrations\//, ""));
      if (!integration) throw new LocalFailure(`it leads to ${route.Target}, which is no integration.`);
      const authorizer = route.AuthorizerId === undefined ? undefined : authorizers.get(route.AuthorizerId);
      if (route.AuthorizerId !== undefined && !authorizer)
        throw new LocalFailure("its authorizer is missing.");
      return {
        key: route.RouteKey,
        functionArn: this.functionArn(integration.IntegrationUri),
        timeoutMs: integration.TimeoutInMillis,
        ...(authorizer ? { authorizer } : {}),
      };
    });
  }

  /** The function behind its name, its ARN, or the gateway's address of it. */
  private functionArn(address: string): string {
    const arn = /arn:aws:lambda:[^:]*:[^:]*:function:[^:/]+/.exec(address)?.[0];
    if (arn) return arn;
    const entry = Object.entries(this.template.Resources).find(
      ([logicalId, resource]) =>
        resource.Type === "AWS::Lambda::Function" && this.addresses.name(logicalId, resource) === address,
    );
    if (!entry) throw new LocalFailure(`it calls ${address}, which is no function of the template.`);
    return this.arn(...entry);
  }

  private arn(logicalId: string, resource: RawResource): string {
    const arn = this.addresses.arn(logicalId, resource);
    if (arn === undefined) throw new LocalFailure(`${resource.Type} has no address locally.`);
    return arn;
  }

  /** The directory behind a function's code: from the asset metadata, else from the manifest of assets by its key. */
  private codeDir(resource: RawResource, key: string | undefined): string {
    const assembly = dirname(this.file);
    const path =
      resource.Metadata?.["aws:asset:path"] ?? this.assetPaths()[(key ?? "").replace(/\.zip$/, "")];
    if (typeof path !== "string")
      throw new LocalFailure(`no asset holds its code (${key ?? "inline code"}).`);
    return resolve(assembly, path);
  }

  private assetPaths(): Record<string, string | undefined> {
    const manifest = join(dirname(this.file), `${basename(this.file, ".template.json")}.assets.json`);
    if (!existsSync(manifest)) return {};
    const { files } = assetManifest.parse(JSON.parse(readFileSync(manifest, "utf8")));
    return Object.fromEntries(Object.entries(files).map(([hash, file]) => [hash, file.source.path]));
  }

  private unplayed(): ServiceModel["unplayed"] {
    return Object.entries(this.template.Resources)
      .filter(([, { Type }]) => !this.played.has(Type) && !IRRELEVANT.has(Type))
      .map(([logicalId, { Type }]) => ({ logicalId, type: Type }));
  }
}

const assetManifest = z.object({
  files: z.record(z.string(), z.object({ source: z.object({ path: z.string().optional() }) })),
});

/** Queue properties that have an SQS attribute, by both names. */
const QUEUE_ATTRIBUTES = [
  ["DelaySeconds", "DelaySeconds"],
  ["VisibilityTimeout", "VisibilityTimeout"],
  ["MessageRetentionPeriod", "MessageRetentionPeriod"],
  ["MaximumMessageSize", "MaximumMessageSize"],
  ["ReceiveMessageWaitTimeSeconds", "ReceiveMessageWaitTimeSeconds"],
  ["RedrivePolicy", "RedrivePolicy"],
  ["FifoQueue", "FifoQueue"],
  ["ContentBasedDeduplication", "ContentBasedDeduplication"],
] as const;

function keyOf(schema: readonly { AttributeName: string; KeyType: string }[]): KeyModel {
  const named = (type: string) => schema.find((one) => one.KeyType === type)?.AttributeName;
  const sort = named("RANGE");
  return { partition: named("HASH") ?? "", ...(sort === undefined ? {} : { sort }) };
}

const input = (text: string | undefined) =>
  text === undefined ? {} : { input: JSON.parse(text) as unknown };
