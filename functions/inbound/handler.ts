import type { RecordConversion } from "../../shared/application/record-conversion";
import { MAX_BODY_BYTES, readBody } from "../../shared/domain/conversion/body";
import { holdsNothing, readPayload } from "../../shared/domain/conversion/reading";
import { ApiError } from "../../shared/domain/errors";
import type { HttpHandler } from "../../shared/lambda/http";
import type { Clock } from "../../shared/ports/clock";
import type { ReceivingWebhookDirectory } from "../../shared/ports/receiving-webhooks";
import { refusal, summary } from "./summary";

interface Dependencies {
  readonly webhooks: ReceivingWebhookDirectory;
  readonly record: RecordConversion;
  readonly clock: Clock;
}

/** `POST /api/webhooks/in/{token}`: a conversion by secret URL (contract: "Inbound webhook"). */
export function createInboundHandler({ webhooks, record, clock }: Dependencies): HttpHandler {
  return async ({ method, params, body }) => {
    if (method !== "POST") throw new ApiError("METHOD_NOT_ALLOWED", undefined, { allow: "POST" });

    const webhook = await webhooks.findByToken(params.token ?? "");
    if (!webhook) return refusal("NOT_FOUND", null);
    if (body.length > MAX_BODY_BYTES)
      return refusal("OVERSIZED", "oversized", "The body is larger than 256 KB.");

    const read = readBody(body);
    if ("problem" in read) return refusal("PARSE_ERROR", "parse error", read.problem);

    const { event: kind, site, id: via } = webhook;
    const reading = readPayload(read.payload);
    if (holdsNothing(reading)) {
      return summary(kind, reading, { outcome: "ignored", event: null, matchedBy: null });
    }
    return summary(kind, reading, await record({ site, kind, source: "webhook", via, reading, at: clock() }));
  };
}
