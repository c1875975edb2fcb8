/** What the synthesised template says, resolved to plain values: all that the local run knows of the service. */
export interface ServiceModel {
  readonly tables: readonly TableModel[];
  readonly queues: readonly QueueModel[];
  readonly functions: readonly FunctionModel[];
  readonly routes: readonly RouteModel[];
  readonly sources: readonly EventSourceModel[];
  readonly schedules: readonly ScheduleModel[];
  readonly buses: readonly BusModel[];
  readonly rules: readonly RuleModel[];
  readonly keys: readonly KeyOfKmsModel[];
  /** Resources the local run does not play, by logical id. They are said when it starts. */
  readonly unplayed: readonly { readonly logicalId: string; readonly type: string }[];
}

export type AttributeType = "S" | "N" | "B";

export interface KeyModel {
  readonly partition: string;
  readonly sort?: string;
}

export interface TableModel {
  readonly logicalId: string;
  readonly name: string;
  readonly key: KeyModel;
  readonly attributes: Readonly<Record<string, AttributeType>>;
  readonly indexes: readonly IndexModel[];
  /** The attribute (epoch seconds) after which items may vanish. */
  readonly ttlAttribute?: string;
}

export interface IndexModel {
  readonly name: string;
  readonly key: KeyModel;
  readonly projection: "ALL" | "KEYS_ONLY" | "INCLUDE";
  readonly include?: readonly string[];
}

export interface QueueModel {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  /** SQS attributes by name, all as strings (`VisibilityTimeout`, `DelaySeconds`, `RedrivePolicy`, ...). */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A statement of a function's role. Lists are never empty. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

export interface FunctionModel {
  readonly logicalId: string;
  readonly name: string;
  readonly arn: string;
  readonly roleArn: string;
  /** Absolute path of the directory that is deployed. */
  readonly codeDir: string;
  /** `module.export`. */
  readonly handler: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly statements: readonly Statement[];
  /** Service principals that may invoke it (`AWS::Lambda::Permission`). */
  readonly invokers: readonly string[];
}

export interface AuthorizerModel {
  readonly functionArn: string;
  /** Such as `$request.header.Authorization`; none means that it runs on every request. */
  readonly identitySources: readonly string[];
  readonly simpleResponses: boolean;
}

export interface RouteModel {
  /** `METHOD /path` or `$default`. */
  readonly key: string;
  readonly functionArn: string;
  readonly authorizer?: AuthorizerModel;
  readonly timeoutMs: number;
}

/** An event source mapping from a queue to a function. */
export interface EventSourceModel {
  readonly logicalId: string;
  readonly queueArn: string;
  readonly functionArn: string;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly reportsFailures: boolean;
  readonly maxConcurrency?: number;
}

export interface ScheduleModel {
  readonly logicalId: string;
  /** `rate(...)` or `cron(...)`, in UTC. */
  readonly expression: string;
  readonly functionArn: string;
  /** The event, where the template gives one. */
  readonly input?: unknown;
}

export interface BusModel {
  readonly name: string;
  readonly arn: string;
}

/** A key of KMS. */
export interface KeyOfKmsModel {
  readonly logicalId: string;
  /** Its id. */
  readonly name: string;
  readonly arn: string;
}

export interface RuleModel {
  readonly logicalId: string;
  readonly busName: string;
  readonly pattern: unknown;
  readonly targetArns: readonly string[];
}
