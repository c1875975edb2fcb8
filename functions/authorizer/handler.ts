import type { APIGatewayRequestAuthorizerEventV2 } from "aws-lambda";
import { type ParsedKey, parseApiKey } from "../../shared/domain/access/api-key";
import { opens } from "../../shared/domain/access/api-key-record";
import { bearerToken } from "../../shared/domain/access/bearer";
import { API_PLAN, type Verdict } from "../../shared/domain/access/principal";
import { toAuthorizerContext } from "../../shared/domain/access/verdict";
import { log } from "../../shared/lambda/log";
import type { Clock } from "../../shared/ports/clock";
import type { Standing } from "../../shared/storage/access/credentials";

export interface Dependencies {
  /** One round trip; null for a key that does not exist or was revoked. */
  readonly findStanding: (key: string, claims: ParsedKey) => Promise<Standing | null>;
  readonly clock: Clock;
}

/** What the gateway is answered: always let through, because its own refusals cannot carry our error body. */
export interface Answer {
  readonly isAuthorized: true;
  /** No verdict when we failed: the endpoint answers INTERNAL. */
  readonly context: { readonly verdict?: string };
}

type Event = Pick<APIGatewayRequestAuthorizerEventV2, "headers" | "routeKey">;

/** Finds who an API key belongs to and leaves a {@link Verdict} for the endpoint. */
export const authorizerHandler =
  (dependencies: Dependencies) =>
  async (event: Event): Promise<Answer> => {
    try {
      const verdict = await judge(event, dependencies);
      return { isAuthorized: true, context: toAuthorizerContext(verdict) };
    } catch (error) {
      log.error("authorizer failed", { error: error as Error });
      return { isAuthorized: true, context: {} };
    }
  };

/** The refusals in the decided order: header, key, plan. A key that is not for the route is no key there. */
async function judge({ headers, routeKey }: Event, { findStanding, clock }: Dependencies): Promise<Verdict> {
  const token = bearerToken(headers?.authorization);
  if (token === null) return { refusal: "AUTH_REQUIRED" };
  const claims = parseApiKey(token);
  const standing = claims && (await findStanding(token, claims));
  if (!standing || !opens(standing.kind, routeKey)) return { refusal: "INVALID_API_KEY" };
  if (standing.expires !== null && standing.expires <= clock()) return { refusal: "INVALID_API_KEY" };
  if (standing.plan !== API_PLAN) return { refusal: "TIER_NO_API_ACCESS" };
  const { keyId, workspace, sites } = standing;
  return { principal: { keyId, workspace, sites } };
}
