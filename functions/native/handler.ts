import { MAX_BODY_BYTES } from "../../shared/domain/conversion/payload/body";
import { ApiError } from "../../shared/domain/errors";
import { isNativeKind } from "../../shared/domain/native/kinds";
import { bestEffort } from "../../shared/lambda/best-effort";
import type { HttpHandler } from "../../shared/lambda/http";
import type { Clock } from "../../shared/ports/clock";
import type { NativeDirectory } from "../../shared/ports/native-integrations";
import { answerTo, unknownAddress } from "./answer";
import type { Receive, Received } from "./receive";

interface Dependencies {
  readonly integrations: NativeDirectory;
  readonly receive: Receive;
  readonly clock: Clock;
}

/** `POST /api/webhooks/{service}/{token}`: a message of a service with a native integration, signed by the service. */
export function createNativeHandler({ integrations, receive, clock }: Dependencies): HttpHandler {
  return async ({ method, path, params, headers, body }) => {
    if (method !== "POST") throw new ApiError("METHOD_NOT_ALLOWED", undefined, { allow: "POST" });

    const kind = path.split("/")[3];
    if (!isNativeKind(kind)) return unknownAddress();
    const integration = await integrations.findByToken(kind, params.token ?? "");
    if (!integration) return unknownAddress();

    const result = body.length > MAX_BODY_BYTES ? oversized : await receive(integration, { headers, body });
    const { outcome, reason = null } = result;
    await bestEffort("an integration's status lost: the next message shows it", () =>
      integrations.noteReceived(integration, { at: clock(), outcome, reason }),
    );
    return answerTo(integration.kind, result);
  };
}

const oversized: Received = { outcome: "oversized" };
