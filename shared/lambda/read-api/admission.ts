import type { Principal, Refusal } from "../../domain/access/principal";
import { parseVerdict } from "../../domain/access/verdict";
import { ApiError } from "../../domain/errors";
import { type Instant, MINUTE, SECOND } from "../../domain/instant";
import type { Admission, RollingWindow } from "../../ports/rolling-window";

/** Requests of one key in any 60 seconds (contract: "Limits"). */
export const READ_RATE_LIMIT = { capacity: 200, windowMs: MINUTE } as const;

/** What RFC 6750 has a 401 say; a 403 says nothing. */
const CHALLENGES: Partial<Record<Refusal, string>> = {
  AUTH_REQUIRED: "Bearer",
  INVALID_API_KEY: 'Bearer error="invalid_token"',
};

/**
 * Who the authorizer found the request to come from. Throws AUTH_REQUIRED, INVALID_API_KEY or TIER_NO_API_ACCESS when it found
 * a reason to refuse, and a plain error (INTERNAL) when it left no verdict: then nobody has looked at the key.
 */
export function requirePrincipal(authorizerContext: Readonly<Record<string, unknown>>): Principal {
  const verdict = parseVerdict(authorizerContext);
  if (verdict === null) throw new Error("the authorizer left no verdict");
  if ("principal" in verdict) return verdict.principal;
  const challenge = CHALLENGES[verdict.refusal];
  throw new ApiError(
    verdict.refusal,
    undefined,
    challenge === undefined ? {} : { "www-authenticate": challenge },
  );
}

/** Counts a request of `principal` against its key's limit, or refuses it. */
export const takeQuota = (rateLimit: RollingWindow, { keyId }: Principal, now: Instant): Promise<Admission> =>
  rateLimit.take(`api#${keyId}`, now);

/**
 * The headers that every authenticated answer carries. `RateLimit-Reset` is the number of seconds until `RateLimit-Remaining`
 * next grows, which for a refused request is when to try again. Throws RATE_LIMITED when it was refused.
 */
export function quotaHeaders(admission: Admission, now: Instant): Record<string, string> {
  const headers = {
    "ratelimit-limit": String(READ_RATE_LIMIT.capacity),
    "ratelimit-remaining": String(admission.remaining),
    "ratelimit-reset": String(Math.ceil((admission.resetAt - now) / SECOND)),
  };
  if (admission.allowed) return headers;
  const retryAfter = String(Math.max(1, Math.ceil(admission.retryAfterMs / SECOND)));
  throw new ApiError("RATE_LIMITED", undefined, { ...headers, "retry-after": retryAfter });
}
