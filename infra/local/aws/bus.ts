import { randomUUID } from "node:crypto";
import * as z from "zod";
import { ACCOUNT } from "../template/addresses";
import type { RuleModel } from "../template/model";
import { eventPattern } from "./pattern";

export interface BusDependencies {
  readonly rules: readonly RuleModel[];
  readonly region: string;
  now(): number;
  /** Hands an event to the target of a rule. */
  deliver(targetArn: string, event: unknown): void;
}

const entrySchema = z.object({
  Source: z.string().min(1),
  DetailType: z.string().min(1),
  Detail: z.string(),
  EventBusName: z.string().default("default"),
  Resources: z.array(z.string()).default([]),
});
const requestSchema = z.object({ Entries: z.array(z.unknown()).min(1).max(10) });

/** The event bus: answers PutEvents and hands each event to the targets of the rules it fits. */
export function openBus({ rules, region, now, deliver }: BusDependencies) {
  const compiled = rules.map((rule) => ({ ...rule, matches: eventPattern(rule.pattern) }));

  function put(raw: unknown): { EventId: string } | { ErrorCode: string; ErrorMessage: string } {
    const parsed = entrySchema.safeParse(raw);
    if (!parsed.success)
      return { ErrorCode: "InvalidArgument", ErrorMessage: "Source and DetailType are required." };
    const entry = parsed.data;
    const detail = parseObject(entry.Detail);
    if (!detail) return { ErrorCode: "MalformedDetail", ErrorMessage: "Detail is malformed." };
    const event = {
      version: "0",
      id: randomUUID(),
      "detail-type": entry.DetailType,
      source: entry.Source,
      account: ACCOUNT,
      time: new Date(now()).toISOString().replace(/\.\d+Z$/, "Z"),
      region,
      resources: entry.Resources,
      detail,
    };
    const bus = entry.EventBusName.split("/").at(-1);
    for (const rule of compiled) {
      if (rule.busName === bus && rule.matches(event))
        for (const target of rule.targetArns) deliver(target, event);
    }
    return { EventId: event.id };
  }

  return {
    /** Answers the body of a PutEvents request. */
    putEvents(body: unknown): unknown {
      const request = requestSchema.safeParse(body);
      const Entries = request.success ? request.data.Entries.map(put) : [];
      return { FailedEntryCount: Entries.filter((entry) => "ErrorCode" in entry).length, Entries };
    },
  };
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
