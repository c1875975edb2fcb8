import { CfnRule } from "aws-cdk-lib/aws-events";
import { CfnPermission, type Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";

/** Calls a function every so many minutes. A call that fails is not repeated: the next one does its work. */
export function callEvery(scope: Construct, id: string, minutes: number, target: LambdaFunction): void {
  const rule = new CfnRule(scope, `${id}Schedule`, {
    scheduleExpression: minutes === 1 ? "rate(1 minute)" : `rate(${minutes} minutes)`,
    state: "ENABLED",
    targets: [
      {
        id: "Function",
        arn: target.functionArn,
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 60 },
      },
    ],
  });
  new CfnPermission(scope, `${id}ScheduleInvocation`, {
    action: "lambda:InvokeFunction",
    functionName: target.functionArn,
    principal: "events.amazonaws.com",
    sourceArn: rule.attrArn,
  });
}
