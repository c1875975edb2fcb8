import { ArnFormat, Aws, Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import { CfnApi, CfnAuthorizer, CfnIntegration, CfnRoute, CfnStage } from "aws-cdk-lib/aws-apigatewayv2";
import { Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { CfnPermission, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { LogGroup, RetentionDays } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import { GATEWAY_TIMEOUT_SECONDS } from "../manifest";
import type { Alarms } from "./alarms";
import type { ServiceFunction } from "./service-function";

/**
 * What is logged of each request. Neither address nor path, query, user agent or identity: an address is personal, and
 * the path of a webhook is its secret.
 */
const ACCESS_LOG = {
  requestId: "$context.requestId",
  time: "$context.requestTimeEpoch",
  route: "$context.routeKey",
  status: "$context.status",
  bytes: "$context.responseLength",
  milliseconds: "$context.responseLatency",
  functionMilliseconds: "$context.integrationLatency",
  functionError: "$context.integrationErrorMessage",
  authorizerError: "$context.authorizer.error",
};

/** A fuse for the account's concurrency, far above what any caller's own limit lets through. */
const THROTTLE = { throttlingRateLimit: 2_000, throttlingBurstLimit: 4_000 };

export interface HttpApiProps {
  readonly authorizer: ServiceFunction;
  readonly alarms: Alarms;
}

/** The service's one HTTP API. Functions answer OPTIONS themselves, so it has no CORS settings of its own. */
export class HttpApi extends Construct {
  readonly url: string;
  private readonly api: CfnApi;
  private readonly authorizer: CfnAuthorizer;

  constructor(scope: Construct, id: string, { authorizer, alarms }: HttpApiProps) {
    super(scope, id);
    this.api = new CfnApi(this, "Api", { name: Stack.of(this).stackName, protocolType: "HTTP" });
    this.url = this.api.attrApiEndpoint;
    this.authorizer = this.createAuthorizer(authorizer.function);
    this.createStage();
    this.watch(alarms);
  }

  /** Sends the function's routes to it, through the authorizer where its entry says so. */
  route(id: string, { function: target, spec }: ServiceFunction): void {
    const integration = new CfnIntegration(this, `${id}Integration`, {
      apiId: this.api.ref,
      integrationType: "AWS_PROXY",
      integrationUri: target.functionArn,
      payloadFormatVersion: "2.0",
      timeoutInMillis: GATEWAY_TIMEOUT_SECONDS * 1000,
    });
    for (const routeKey of spec.routes ?? []) {
      const route = new CfnRoute(this, routeId(routeKey), {
        apiId: this.api.ref,
        routeKey,
        target: `integrations/${integration.ref}`,
        ...(spec.authorized
          ? { authorizationType: "CUSTOM", authorizerId: this.authorizer.ref }
          : { authorizationType: "NONE" }),
      });
      if (!spec.authorized) {
        Validations.of(route).acknowledge({
          id: "AwsSolutions-APIG4",
          reason: `Not for API keys: this one ${spec.purpose}, and checks itself whom it serves.`,
        });
      }
    }
    this.permit(`${id}Invocation`, target, "*");
  }

  /**
   * Runs on every request, also without an Authorization header and never from a cache: a revoked key is refused at
   * once, and every refusal carries the service's own error body.
   */
  private createAuthorizer(target: LambdaFunction): CfnAuthorizer {
    const uri = `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/${target.functionArn}/invocations`;
    const authorizer = new CfnAuthorizer(this, "Authorizer", {
      apiId: this.api.ref,
      name: "api-key",
      authorizerType: "REQUEST",
      authorizerUri: uri,
      authorizerPayloadFormatVersion: "2.0",
      enableSimpleResponses: true,
      identitySource: [],
      authorizerResultTtlInSeconds: 0,
    });
    this.permit("AuthorizerInvocation", target, `authorizers/${authorizer.ref}`);
    return authorizer;
  }

  private createStage(): void {
    const accessLog = new LogGroup(this, "AccessLog", {
      retention: RetentionDays.ONE_MONTH,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    // Its own attribute ends in `:*`, which is for policies; a destination is the group itself.
    const destinationArn = Stack.of(this).formatArn({
      service: "logs",
      resource: "log-group",
      resourceName: accessLog.logGroupName,
      arnFormat: ArnFormat.COLON_RESOURCE_NAME,
    });
    new CfnStage(this, "Stage", {
      apiId: this.api.ref,
      stageName: "$default",
      autoDeploy: true,
      accessLogSettings: { destinationArn, format: JSON.stringify(ACCESS_LOG) },
      defaultRouteSettings: THROTTLE,
    });
  }

  private watch(alarms: Alarms): void {
    alarms.add(this, "FailingAlarm", {
      meaning: "Callers, trackers or webhook senders get 5xx answers; what they send meanwhile may be lost.",
      metric: new Metric({
        namespace: "AWS/ApiGateway",
        metricName: "5xx",
        dimensionsMap: { ApiId: this.api.ref },
        statistic: Stats.SUM,
        period: Duration.minutes(1),
      }),
      threshold: 5,
      evaluationPeriods: 2,
    });
  }

  private permit(id: string, target: LambdaFunction, path: string): void {
    new CfnPermission(this, id, {
      action: "lambda:InvokeFunction",
      functionName: target.functionArn,
      principal: "apigateway.amazonaws.com",
      sourceArn: Stack.of(this).formatArn({
        service: "execute-api",
        resource: this.api.ref,
        resourceName: path,
      }),
    });
  }
}

/** `GET /v1/overview` becomes `GetV1OverviewRoute`. */
function routeId(routeKey: string): string {
  const words = routeKey.match(/[A-Za-z0-9]+/g) ?? [];
  return `${words.map((word) => word[0]?.toUpperCase() + word.slice(1).toLowerCase()).join("")}Route`;
}
