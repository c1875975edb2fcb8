import * as z from "zod";
import { ApiError, type ErrorCode } from "../../shared/domain/errors";
import type { NativeOutcome } from "../../shared/domain/native/integration";
import type { NativeKind } from "../../shared/domain/native/kinds";
import { NATIVE_SOURCES } from "../../shared/domain/native/sources";
import { type HttpResponse, json } from "../../shared/lambda/http";
import type { Received } from "./receive";

/** What the service is told; people read it in the log of its deliveries. */
const answerSchema = z.object({
  ok: z.literal(true),
  outcome: z.enum(["accepted", "deduped", "ignored"]),
  event_type: z.string(),
  /** Of a duplicate: the first event's; null when nothing was recorded. */
  event_id: z.string().nullable(),
  matched_by: z.enum(["visitor_id", "click_id", "email"]).nullable(),
  reason: z.string().nullable(),
});

/**
 * Refusals. Services try again after any of them, for a day and more: so what was refused for a secret that was mistyped
 * or not entered yet is there once it was put right.
 */
const REFUSALS = {
  "bad signature": "BAD_SIGNATURE",
  "parse error": "PARSE_ERROR",
  oversized: "OVERSIZED",
} as const satisfies Partial<Record<NativeOutcome, ErrorCode>>;

export function answerTo(kind: NativeKind, result: Received): HttpResponse {
  const { outcome, reason, event = null, matchedBy = null } = result;
  if (outcome === "bad signature" || outcome === "parse error" || outcome === "oversized") {
    return refusal(REFUSALS[outcome], outcome, reason);
  }
  const body: z.infer<typeof answerSchema> = {
    ok: true,
    outcome,
    event_type: NATIVE_SOURCES[kind].event.name,
    event_id: event,
    matched_by: matchedBy,
    reason: reason ?? null,
  };
  return json(200, answerSchema.parse(body));
}

export const unknownAddress = (): HttpResponse => refusal("NOT_FOUND", null);

function refusal(code: ErrorCode, outcome: NativeOutcome | null, message?: string): HttpResponse {
  const error = new ApiError(code, message);
  return json(error.status, { ok: false, outcome, ...error.toBody() });
}
