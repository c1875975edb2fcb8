import type { Outcome } from "../functions/pool";
import type { AuthorizerModel } from "../template/model";
import { commonEvent, type GatewayRequest } from "./request";
import { type GatewayResponse, INTERNAL_ERROR, message } from "./response";
import type { Match } from "./routes";

/** What an authorizer decided: a context for the integration, or the answer that ends the request. */
export type Authorization = { readonly context: unknown } | { readonly refusal: GatewayResponse };

/**
 * Asks a Lambda authorizer (format 2.0), on every request: results are never cached. A missing identity source is 401
 * without a call, a denial 403, a failure or an answer of the wrong form 500.
 */
export async function authorize(
  authorizer: AuthorizerModel,
  request: GatewayRequest,
  { route, params }: Match<{ readonly key: string }>,
  invoke: (functionArn: string, event: unknown) => Promise<Outcome>,
): Promise<Authorization> {
  const identitySource = authorizer.identitySources.map((source) => identity(source, request));
  if (identitySource.includes(undefined)) return { refusal: message(401, "Unauthorized") };
  const event = commonEvent(request, route.key, params);
  const outcome = await invoke(authorizer.functionArn, {
    ...event,
    type: "REQUEST",
    routeArn: `arn:aws:execute-api:local:${event.requestContext.accountId}:${event.requestContext.apiId}/$default/${request.method}${request.path}`,
    identitySource: identitySource.length > 0 ? identitySource : null,
  });
  if (!outcome.ok) return { refusal: INTERNAL_ERROR };
  const allowed = authorizer.simpleResponses ? simpleAnswer(outcome.payload) : policyAnswer(outcome.payload);
  if (allowed === undefined) return { refusal: INTERNAL_ERROR };
  if (!allowed) return { refusal: message(403, "Forbidden") };
  return { context: (outcome.payload as { context?: unknown }).context ?? null };
}

function simpleAnswer(payload: unknown): boolean | undefined {
  const answer = (payload as { isAuthorized?: unknown } | null)?.isAuthorized;
  return typeof answer === "boolean" ? answer : undefined;
}

function policyAnswer(payload: unknown): boolean | undefined {
  const document = (payload as { policyDocument?: { Statement?: { Effect?: unknown }[] } } | null)
    ?.policyDocument;
  if (!Array.isArray(document?.Statement)) return undefined;
  return (
    document.Statement.length > 0 && document.Statement.every((statement) => statement.Effect === "Allow")
  );
}

/** The value behind `$request.header.Name` or `$request.querystring.name`. */
function identity(source: string, request: GatewayRequest): string | undefined {
  const [, kind, name = ""] = /^\$request\.(header|querystring)\.(.+)$/.exec(source) ?? [];
  const value =
    kind === "header" ? request.headers[name.toLowerCase()] : new URLSearchParams(request.query).get(name);
  return value ? value : undefined;
}
