import { isSameOrigin } from "../../shared/domain/access/same-origin";
import { ApiError } from "../../shared/domain/errors";
import type { HttpHandler } from "../../shared/lambda/http";
import { quotaHeaders, requirePrincipal, takeQuota } from "../../shared/lambda/read-api/admission";
import type { Clock } from "../../shared/ports/clock";
import type { RollingWindow } from "../../shared/ports/rolling-window";
import { converse } from "./protocol";
import type { Tool } from "./tool";

export interface Dependencies {
  readonly tools: readonly Tool[];
  /** Of `READ_RATE_LIMIT`. */
  readonly rateLimit: RollingWindow;
  readonly clock: Clock;
}

/**
 * `POST /mcp`. Who may not speak at all is told so by HTTP (AUTH_REQUIRED, INVALID_API_KEY, TIER_NO_API_ACCESS, RATE_LIMITED,
 * ORIGIN_NOT_ALLOWED); all else is the protocol's. Every request counts once against the key's rate limit, whatever it
 * asks; the count is taken beside the answer, which is dropped when it refuses.
 */
export const mcpHandler =
  ({ tools, rateLimit, clock }: Dependencies): HttpHandler =>
  async (request) => {
    if (!isSameOrigin(request.headers)) throw new ApiError("ORIGIN_NOT_ALLOWED");
    const principal = requirePrincipal(request.authorizer);
    const now = clock();
    const admission = takeQuota(rateLimit, principal, now);
    const [quota, answer] = await Promise.all([
      admission.then((admitted) => quotaHeaders(admitted, now)),
      converse(tools, request, admission),
    ]);
    return { ...answer, headers: { ...answer.headers, ...quota } };
  };
