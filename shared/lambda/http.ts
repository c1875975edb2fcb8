import middy from "@middy/core";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { ApiError } from "../domain/errors";
import { gzipFor, isWorthCompressing } from "./compression";
import { log } from "./log";

/** An HTTP request with everything the gateway's encoding hides undone. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
  /** What the gateway matched, like `POST /api/webhooks/in/{token}`: free of secrets. */
  readonly route: string;
  readonly path: string;
  /** Parameters of the route, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** All values, in order, decoded. */
  readonly query: URLSearchParams;
  /** Names in lower case; several values joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: Readonly<Record<string, string>>;
  /** The bytes as they were sent. */
  readonly body: Uint8Array;
  readonly sourceIp: string;
  readonly requestId: string;
  /** What the Lambda authorizer put into its context, unparsed. */
  readonly authorizer: Readonly<Record<string, unknown>>;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  /** A string is text, gzipped where that is worthwhile; bytes are sent as they are; anything else as JSON. */
  readonly body?: unknown;
}

export type HttpHandler = (request: HttpRequest) => Promise<HttpResponse>;

/**
 * The factory every HTTP function is built with. An ApiError becomes its status and `{error, code}`; anything else is
 * logged and becomes 500 INTERNAL, which leaks nothing. Every answer carries `X-Request-Id`.
 */
export function httpFunction(handle: HttpHandler) {
  return middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>({
    timeoutEarlyInMillis: 0,
  }).handler(async (event: APIGatewayProxyEventV2, context: Context) => {
    const request = toRequest(event, context.awsRequestId);
    try {
      return toResult(await handle(request), request);
    } catch (error) {
      return toResult(errorResponse(error, request), request);
    }
  });
}

/**
 * The headers of a JSON body: sent with every body that is serialised here, and to be given with JSON that is text
 * already. What one caller may see is no business of the caches on the way.
 */
export const JSON_HEADERS = {
  "content-type": "application/json; charset=utf-8",
  "cache-control": "no-store",
} as const;

/** An answer with `body` as JSON. */
export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  body,
  headers,
});

/**
 * The answer that tells a caller of `error`, for functions that have headers to add to it. What nobody foresaw is logged
 * with its route, not its path: the path of a webhook is its secret.
 */
export function errorResponse(error: unknown, request: HttpRequest): HttpResponse {
  const known = error instanceof ApiError ? error : new ApiError("INTERNAL");
  if (known !== error) {
    const { requestId, route } = request;
    log.error("unexpected failure", { requestId, route, error: error as Error });
  }
  return { status: known.status, headers: known.headers, body: known.toBody() };
}

function toRequest(event: APIGatewayProxyEventV2, fallbackId: string): HttpRequest {
  const { http, requestId, authorizer } = event.requestContext as typeof event.requestContext & {
    authorizer?: { lambda?: Record<string, unknown> };
  };
  return {
    method: http.method.toUpperCase(),
    route: event.routeKey,
    path: event.rawPath,
    params: Object.fromEntries(
      Object.entries(event.pathParameters ?? {}).map(([name, value]) => [name, value ?? ""]),
    ),
    query: new URLSearchParams(event.rawQueryString),
    headers: Object.fromEntries(
      Object.entries(event.headers).map(([name, value]) => [name.toLowerCase(), value ?? ""]),
    ),
    cookies: parseCookies(event.cookies ?? []),
    body: Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8"),
    sourceIp: http.sourceIp,
    requestId: requestId || fallbackId,
    authorizer: authorizer?.lambda ?? {},
  };
}

function parseCookies(cookies: readonly string[]): Record<string, string> {
  const jar: Record<string, string> = {};
  for (const cookie of cookies) {
    const at = cookie.indexOf("=");
    if (at > 0) jar[cookie.slice(0, at).trim()] ??= cookie.slice(at + 1).trim();
  }
  return jar;
}

function toResult(
  { status, headers = {}, cookies, body }: HttpResponse,
  request: HttpRequest,
): APIGatewayProxyStructuredResultV2 {
  const isJson = body !== undefined && typeof body !== "string" && !(body instanceof Uint8Array);
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const encoded = encodeBody(isJson ? JSON.stringify(body) : body, own, request);
  return {
    statusCode: status,
    headers: {
      ...(isJson ? JSON_HEADERS : {}),
      "x-content-type-options": "nosniff",
      "x-request-id": request.requestId,
      ...own,
      ...encoded.headers,
    },
    ...(cookies?.length ? { cookies: [...cookies] } : {}),
    ...encoded.result,
  };
}

/** The body as the gateway takes it, and the headers that say how it is encoded. */
function encodeBody(
  body: string | Uint8Array | undefined,
  own: Record<string, string>,
  request: HttpRequest,
) {
  if (body === undefined) return { headers: {}, result: {} };
  if (typeof body !== "string") return { headers: {}, result: base64(body) };
  if (own["content-encoding"] !== undefined || !isWorthCompressing(body))
    return { headers: {}, result: { body } };
  const vary = { vary: own.vary === undefined ? "Accept-Encoding" : `${own.vary}, Accept-Encoding` };
  const gzipped = gzipFor(request.headers["accept-encoding"], body);
  return gzipped
    ? { headers: { ...vary, "content-encoding": "gzip" }, result: base64(gzipped) }
    : { headers: vary, result: { body } };
}

const base64 = (bytes: Uint8Array) => ({
  body: Buffer.from(bytes).toString("base64"),
  isBase64Encoded: true,
});
