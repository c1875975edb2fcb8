import type { RecordConversion } from "../../shared/application/record-conversion";
import type { MatchedBy } from "../../shared/domain/conversion/event";
import { readBody } from "../../shared/domain/conversion/payload/body";
import { holdsNothing, readPayload } from "../../shared/domain/conversion/reading";
import { ApiError } from "../../shared/domain/errors";
import type { LinkResult } from "../../shared/domain/identity/link";
import { newId, type RandomBytes } from "../../shared/domain/ids";
import { previewBody, previewPayload } from "../../shared/domain/receipts/preview";
import type { Outcome } from "../../shared/domain/receipts/receipt";
import type { HttpHandler } from "../../shared/lambda/http";
import type { Clock } from "../../shared/ports/clock";
import type { ReceiptLog } from "../../shared/ports/receipts";
import type { ReceivingWebhookDirectory } from "../../shared/ports/receiving-webhooks";
import { refusal, summary } from "./summary";

interface Dependencies {
  readonly webhooks: ReceivingWebhookDirectory;
  readonly record: RecordConversion;
  readonly receipts: ReceiptLog;
  readonly clock: Clock;
  readonly random: RandomBytes;
}

/** What a receipt tells of the event that counts. */
interface Told {
  readonly event: string | null;
  readonly matchedBy: MatchedBy | null;
  readonly link: LinkResult | null;
}

const NOTHING: Told = { event: null, matchedBy: null, link: null };

/** `POST /api/webhooks/in/{token}`: a conversion by secret URL (contract: "Inbound webhook"). */
export function createInboundHandler({
  webhooks,
  record,
  receipts,
  clock,
  random,
}: Dependencies): HttpHandler {
  return async ({ method, params, body, headers }) => {
    if (method !== "POST") throw new ApiError("METHOD_NOT_ALLOWED", undefined, { allow: "POST" });

    const webhook = await webhooks.findByToken(params.token ?? "");
    if (!webhook) return refusal("NOT_FOUND", null);
    const { event: kind, site, id: via } = webhook;
    const at = clock();
    const log = (
      outcome: Exclude<Outcome, "accepted">,
      preview: string,
      { event, matchedBy, link }: Told = NOTHING,
    ) => {
      const line = { site, webhook: via, at, outcome, preview, event, matchedBy, link: link?.status ?? null };
      return receipts.write({ id: newId("rct", at, random), ...line });
    };

    const read = await readBody(body, headers);
    if ("oversized" in read) {
      await log("oversized", previewBody(body));
      return refusal("OVERSIZED", "oversized", "The body is larger than 256 KB.");
    }
    if ("problem" in read) {
      await log("parse error", previewBody(body));
      return refusal("PARSE_ERROR", "parse error", read.problem);
    }
    const preview = previewPayload(read.payload);
    const reading = readPayload(read.payload);
    if (holdsNothing(reading)) {
      await log("ignored", preview);
      return summary(kind, reading, { outcome: "ignored", ...NOTHING });
    }
    const receipt = { preview };
    const recorded = await record({ site, kind, source: "webhook", via, reading, at, receipt });
    if (recorded.outcome === "deduped") await log("deduped", preview, recorded);
    return summary(kind, reading, recorded);
  };
}
