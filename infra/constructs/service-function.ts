import { Duration, RemovalPolicy } from "aws-cdk-lib";
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { type FunctionSpec, memoryOf, timeoutOf } from "../manifest";
import { environmentOf, type Resources, statementsOf } from "./access";
import type { Alarms } from "./alarms";

export interface ServiceFunctionProps {
  readonly spec: FunctionSpec;
  /** Where its bundle and assets lie. */
  readonly bundle: string;
  readonly resources: Resources;
  readonly alarms: Alarms;
}

/** A function with a log group and a role of its own. */
export class ServiceFunction extends Construct {
  readonly function: LambdaFunction;
  readonly spec: FunctionSpec;

  constructor(scope: Construct, id: string, { spec, bundle, resources, alarms }: ServiceFunctionProps) {
    super(scope, id);
    this.spec = spec;
    const logGroup = new LogGroup(this, "Logs", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const ownLogs = new PolicyStatement({
      actions: ["logs:CreateLogStream", "logs:PutLogEvents"],
      resources: [logGroup.logGroupArn],
    });
    // Its one policy is part of the role, so that nothing can call the function before it may do its work.
    const role = new Role(this, "Role", {
      assumedBy: new ServicePrincipal("lambda.amazonaws.com"),
      inlinePolicies: {
        Access: new PolicyDocument({ statements: [ownLogs, ...statementsOf(spec, resources)] }),
      },
    });
    this.function = new LambdaFunction(this, "Function", {
      description: spec.purpose,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      code: Code.fromAsset(bundle),
      handler: "index.handler",
      memorySize: memoryOf(spec),
      timeout: Duration.seconds(timeoutOf(spec)),
      role: role.withoutPolicyUpdates(),
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      environment: {
        NODE_OPTIONS: "--enable-source-maps",
        POWERTOOLS_SERVICE_NAME: id,
        ...environmentOf(spec, resources),
      },
      // A scheduled call that failed is not repeated: the next one does its work.
      ...(spec.everyMinutes ? { retryAttempts: 0 } : {}),
    });
    if (spec.whenFailing) {
      alarms.add(this, "FailingAlarm", {
        meaning: spec.whenFailing,
        metric: this.function.metricErrors({ period: Duration.minutes(1) }),
        threshold: 1,
        evaluationPeriods: 5,
      });
    }
  }
}
