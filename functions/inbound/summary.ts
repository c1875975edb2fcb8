import * as z from "zod";
import type { MatchedBy } from "../../shared/domain/conversion/event";
import type { EventKind } from "../../shared/domain/conversion/event-type";
import type { Reading } from "../../shared/domain/conversion/reading";
import { ApiError, type ErrorCode } from "../../shared/domain/errors";
import type { LinkResult } from "../../shared/domain/identity/link";
import { type HttpResponse, json } from "../../shared/lambda/http";

const found = z.object({
  email: z.boolean(),
  phone: z.boolean(),
  first_name: z.boolean(),
  last_name: z.boolean(),
  value: z.boolean(),
  currency: z.boolean(),
  order_id: z.boolean(),
  visitor_id: z.boolean(),
  click_id: z.boolean(),
});

/** What the sender is told (decisions: "Receiving webhooks", summary): what was found, never its values. */
const summarySchema = z.object({
  ok: z.literal(true),
  outcome: z.enum(["accepted", "deduped", "ignored"]),
  event_type: z.string(),
  event_name: z.string(),
  /** Of a duplicate: the first event's. */
  event_id: z.string().nullable(),
  matched_by: z.enum(["visitor_id", "click_id", "email"]).nullable(),
  found,
  properties: z.number().int(),
  /** When `existing_email` was sent. */
  link: z
    .object({
      status: z.enum(["linked", "pending", "not_found", "conflict", "ignored"]),
      existing_email: z.string(),
      reason: z.string().optional(),
    })
    .optional(),
});

interface Result {
  readonly outcome: "accepted" | "deduped" | "ignored";
  readonly event: string | null;
  readonly matchedBy: MatchedBy | null;
  readonly link: LinkResult | null;
}

export function summary({ type, name }: EventKind, reading: Reading, result: Result): HttpResponse {
  const { contact, amount, currency, orderId, visitorId, clickIds, properties } = reading;
  const body: z.infer<typeof summarySchema> = {
    ok: true,
    outcome: result.outcome,
    event_type: type,
    event_name: name,
    event_id: result.event,
    matched_by: result.matchedBy,
    found: {
      email: contact.email !== null,
      phone: contact.phone !== null,
      first_name: contact.firstName !== null,
      last_name: contact.lastName !== null,
      value: amount !== null,
      currency: currency !== null,
      order_id: orderId !== null,
      visitor_id: visitorId !== null,
      click_id: clickIds.length > 0,
    },
    properties: Object.keys(properties).length,
    ...(result.link ? { link: linkOf(result.link) } : {}),
  };
  return json(200, summarySchema.parse(body));
}

const linkOf = ({ status, existingEmail, reason }: LinkResult) => ({
  status,
  existing_email: existingEmail,
  ...(reason === null ? {} : { reason }),
});

/** The body of an error; `outcome` is null where no receipt is logged (unknown URL). */
export function refusal(
  code: ErrorCode,
  outcome: "parse error" | "oversized" | null,
  message?: string,
): HttpResponse {
  const error = new ApiError(code, message);
  return json(error.status, { ok: false, outcome, ...error.toBody() });
}
