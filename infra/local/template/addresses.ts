import type { Addresses, RawResource } from "./intrinsics";

/** Where the service is on this machine; becomes part of the addresses the template refers to. */
export interface Place {
  readonly region: string;
  /** Origin of the HTTP API. */
  readonly baseUrl: string;
  /** Origin of the endpoint that stands for AWS. */
  readonly awsUrl: string;
}

/** The account everything lives in locally; the one fauxqs has too. */
export const ACCOUNT = "000000000000";
export const API_ID = "local";

/** The property that names a resource of each type; without it the logical id does. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  "AWS::DynamoDB::Table": "TableName",
  "AWS::DynamoDB::GlobalTable": "TableName",
  "AWS::SQS::Queue": "QueueName",
  "AWS::Lambda::Function": "FunctionName",
  "AWS::IAM::Role": "RoleName",
  "AWS::Events::EventBus": "Name",
  "AWS::Logs::LogGroup": "LogGroupName",
  "AWS::SNS::Topic": "TopicName",
};

/** The part of a type's ARNs behind `arn:aws:`. */
const ARNS: Readonly<Record<string, (region: string, name: string) => string>> = {
  "AWS::DynamoDB::Table": (region, name) => `dynamodb:${region}:${ACCOUNT}:table/${name}`,
  "AWS::DynamoDB::GlobalTable": (region, name) => `dynamodb:${region}:${ACCOUNT}:table/${name}`,
  "AWS::SQS::Queue": (region, name) => `sqs:${region}:${ACCOUNT}:${name}`,
  "AWS::Lambda::Function": (region, name) => `lambda:${region}:${ACCOUNT}:function:${name}`,
  "AWS::IAM::Role": (_, name) => `iam::${ACCOUNT}:role/${name}`,
  "AWS::Events::EventBus": (region, name) => `events:${region}:${ACCOUNT}:event-bus/${name}`,
  "AWS::Events::Rule": (region, name) => `events:${region}:${ACCOUNT}:rule/${name}`,
  "AWS::Logs::LogGroup": (region, name) => `logs:${region}:${ACCOUNT}:log-group:${name}:*`,
  "AWS::KMS::Key": (region, name) => `kms:${region}:${ACCOUNT}:key/${name}`,
  "AWS::SNS::Topic": (region, name) => `sns:${region}:${ACCOUNT}:${name}`,
  "AWS::Scheduler::ScheduleGroup": (region, name) => `scheduler:${region}:${ACCOUNT}:schedule-group/${name}`,
};

export const queueUrl = (place: Place, name: string): string => `${place.awsUrl}/${ACCOUNT}/${name}`;

/** What references to the resources of a template become on this machine. */
export class LocalAddresses implements Addresses {
  /** @param resolve how intrinsics inside a name are resolved */
  constructor(
    private readonly place: Place,
    private readonly resolve: (value: unknown) => unknown,
  ) {}

  name(logicalId: string, resource: RawResource): string {
    const property = NAME_PROPERTIES[resource.Type];
    const given = property === undefined ? undefined : this.resolve(resource.Properties?.[property]);
    return given === undefined ? logicalId : String(given);
  }

  arn(logicalId: string, resource: RawResource): string | undefined {
    const tail = ARNS[resource.Type]?.(this.place.region, this.name(logicalId, resource));
    return tail === undefined ? undefined : `arn:aws:${tail}`;
  }

  ref(logicalId: string, resource: RawResource): string | undefined {
    const name = this.name(logicalId, resource);
    if (resource.Type === "AWS::SQS::Queue") return queueUrl(this.place, name);
    if (resource.Type === "AWS::ApiGatewayV2::Api") return API_ID;
    if (resource.Type === "AWS::SNS::Topic") return this.arn(logicalId, resource);
    return name;
  }

  attribute(logicalId: string, resource: RawResource, attribute: string): string | undefined {
    if (attribute === "Arn" || attribute === "TopicArn") return this.arn(logicalId, resource);
    if (attribute === "QueueName" || attribute === "Name") return this.name(logicalId, resource);
    if (attribute === "QueueUrl") return this.ref(logicalId, resource);
    if (attribute === "ApiEndpoint") return this.place.baseUrl;
    return undefined;
  }
}
