import { permissions } from "../aws/permissions";
import type { FunctionModel, ServiceModel } from "./model";

const SOURCE_ACTIONS = ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"];

/**
 * What would not work on AWS because the template does not grant it: a route or a rule whose function does not let the
 * gateway or the event bus in, a queue its worker may not read. One sentence each.
 */
export function missingGrants(model: ServiceModel): readonly string[] {
  const byArn = new Map(model.functions.map((fn) => [fn.arn, fn]));
  const letsIn = (arn: string, principal: string, what: string) => {
    const fn = byArn.get(arn);
    if (!fn) return [`${what} calls ${arn}, which is no function of the template.`];
    return fn.invokers.includes(principal)
      ? []
      : [`${what} may not call ${fn.logicalId}: it does not let ${principal} in.`];
  };
  return [
    ...model.routes.flatMap((route) => [
      ...letsIn(route.functionArn, "apigateway.amazonaws.com", `The route ${route.key}`),
      ...(route.authorizer
        ? letsIn(route.authorizer.functionArn, "apigateway.amazonaws.com", `The authorizer of ${route.key}`)
        : []),
    ]),
    ...model.rules.flatMap((rule) =>
      rule.targetArns
        .filter((arn) => arn.includes(":lambda:"))
        .flatMap((arn) => letsIn(arn, "events.amazonaws.com", `The rule ${rule.logicalId}`)),
    ),
    ...model.sources.flatMap((source) => unreadable(source.queueArn, byArn.get(source.functionArn))),
  ];
}

function unreadable(queueArn: string, fn: FunctionModel | undefined): string[] {
  if (!fn) return [`An event source mapping of ${queueArn} calls no function of the template.`];
  const allows = permissions(fn.statements);
  return SOURCE_ACTIONS.filter((action) => !allows(action, queueArn)).map(
    (action) => `${fn.logicalId} works off ${queueArn} but may not ${action}.`,
  );
}
