import middy from "@middy/core";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { ApiError } from "../domain/errors";
import { log } from "./log";

/** An HTTP request with everything the gateway's encoding hides undone. */
export interface HttpRequest {
  /** Upper case. */
  readonly method: string;
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
  /** A string is sent as it is; bytes in base64; anything else as JSON. */
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
      return toResult(await handle(request), request.requestId);
    } catch (error) {
      return toResult(errorResponse(error, request), request.requestId);
    }
  });
}

/** `{ok: body}` answers. */
export const json = (
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpResponse => ({
  status,
  body,
  headers,
});

function errorResponse(error: unknown, request: HttpRequest): HttpResponse {
  const known = error instanceof ApiError ? error : new ApiError("INTERNAL");
  if (known !== error) {
    log.error("unexpected failure", {
      requestId: request.requestId,
      path: request.path,
      error: error as Error,
    });
  }
  return { status: known.status, headers: known.headers, body: known.toBody() };
}

function toRequest(event: APIGatewayProxyEventV2, fallbackId: string): HttpRequest {
  const { http, requestId, authorizer } = event.requestContext as typeof event.requestContext & {
    authorizer?: { lambda?: Record<string, unknown> };
  };
  return {
    method: http.method.toUpperCase(),
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

function toResult(response: HttpResponse, requestId: string): APIGatewayProxyStructuredResultV2 {
  const { status, headers = {}, cookies, body } = response;
  const isBytes = body instanceof Uint8Array;
  const isText = typeof body === "string";
  return {
    statusCode: status,
    headers: {
      ...(body === undefined || isBytes || isText
        ? {}
        : { "content-type": "application/json; charset=utf-8" }),
      "x-content-type-options": "nosniff",
      "x-request-id": requestId,
      ...headers,
    },
    ...(cookies?.length ? { cookies: [...cookies] } : {}),
    ...(body === undefined
      ? {}
      : isBytes
        ? { body: Buffer.from(body).toString("base64"), isBase64Encoded: true }
        : { body: isText ? body : JSON.stringify(body) }),
  };
}
