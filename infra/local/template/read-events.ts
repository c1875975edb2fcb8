import * as z from "zod";
import type { ServiceModel } from "./model";
import type { Resources } from "./resources";
import * as schemas from "./schemas";

/** What calls functions besides the API: queues, schedules, and the rules of the event bus. */
export function readEvents(
  resources: Resources,
): Pick<ServiceModel, "sources" | "schedules" | "buses" | "rules"> {
  const rules = resources.each("AWS::Events::Rule", schemas.ruleProperties, (rule, logicalId) => ({
    ...rule,
    logicalId,
  }));
  return {
    sources: resources.each(
      "AWS::Lambda::EventSourceMapping",
      schemas.sourceProperties,
      (source, logicalId) => ({
        logicalId,
        queueArn: source.EventSourceArn,
        functionArn: resources.functionArn(source.FunctionName),
        batchSize: source.BatchSize,
        windowMs: source.MaximumBatchingWindowInSeconds * 1000,
        reportsFailures: source.FunctionResponseTypes.includes("ReportBatchItemFailures"),
        ...(source.ScalingConfig.MaximumConcurrency === undefined
          ? {}
          : { maxConcurrency: source.ScalingConfig.MaximumConcurrency }),
      }),
    ),
    schedules: [
      ...resources.each("AWS::Scheduler::Schedule", schemas.scheduleProperties, (schedule, logicalId) => ({
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
    buses: resources.each("AWS::Events::EventBus", z.unknown(), (_, logicalId, resource) => ({
      name: resources.name(logicalId, resource),
      arn: resources.arn(logicalId, resource),
    })),
    rules: rules
      .filter((rule) => rule.EventPattern !== undefined)
      .map((rule) => ({
        logicalId: rule.logicalId,
        busName: rule.EventBusName.split("/").at(-1) ?? "default",
        pattern: rule.EventPattern,
        targetArns: rule.Targets.map((target) => target.Arn),
      })),
  };
}

const input = (text: string | undefined) =>
  text === undefined ? {} : { input: JSON.parse(text) as unknown };
