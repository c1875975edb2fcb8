import { randomBytes } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { ACCOUNT, API_ID } from "../template/addresses";

/** A request as it came over the wire, with its address taken apart. */
export interface GatewayRequest {
  readonly method: string;
  /** Percent-decoded, as HTTP APIs hand it on. */
  readonly path: string;
  readonly segments: readonly string[];
  /** Still encoded, without the question mark. */
  readonly query: string;
  /** Names in lower case, several values joined by a comma, cookies taken out. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly protocol: string;
  readonly requestId: string;
  readonly at: Date;
}

/** Undefined for an address that cannot be decoded. */
export function toRequest(
  incoming: IncomingMessage,
  body: Buffer,
  at: Date,
  port: number,
): GatewayRequest | undefined {
  const target = (incoming.url ?? "/").replace(/^https?:\/\/[^/]*/, "").replace(/#.*$/, "");
  const mark = target.indexOf("?");
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const segments = rawPath.split("/").slice(1).map(decode);
  if (segments.includes(undefined)) return undefined;
  const path = segments.filter((segment) => segment !== undefined);
  const sourceIp = (incoming.socket.remoteAddress ?? "127.0.0.1").replace(/^::ffff:/, "");
  const { cookie, ...headers } = joined(incoming.headersDistinct);
  return {
    method: incoming.method ?? "GET",
    path: `/${path.join("/")}`,
    segments: path,
    query: mark < 0 ? "" : target.slice(mark + 1),
    headers: sorted({
      ...headers,
      ...(headers["content-length"] === undefined ? { "content-length": String(body.length) } : {}),
      "x-amzn-trace-id": `Root=1-${Math.floor(at.getTime() / 1000).toString(16)}-${randomBytes(12).toString("hex")}`,
      "x-forwarded-for": headers["x-forwarded-for"] ? `${headers["x-forwarded-for"]}, ${sourceIp}` : sourceIp,
      "x-forwarded-port": String(port),
      "x-forwarded-proto": "http",
    }),
    cookies: cookie === undefined ? [] : cookie.split(/;\s*/).filter((one) => one !== ""),
    body,
    sourceIp,
    protocol: `HTTP/${incoming.httpVersion}`,
    requestId: randomBytes(11).toString("base64url"),
    at,
  };
}

/** The event of payload format 2.0, without what only an integration or only an authorizer gets. */
export function commonEvent(
  request: GatewayRequest,
  routeKey: string,
  params: Readonly<Record<string, string>>,
) {
  const domainName = request.headers.host ?? "localhost";
  const queryStringParameters = parameters(request.query);
  return {
    version: "2.0",
    routeKey,
    rawPath: request.path,
    rawQueryString: request.query,
    ...(request.cookies.length > 0 ? { cookies: request.cookies } : {}),
    headers: request.headers,
    ...(queryStringParameters ? { queryStringParameters } : {}),
    requestContext: {
      accountId: ACCOUNT,
      apiId: API_ID,
      domainName,
      domainPrefix: domainName.split(".")[0] ?? "",
      http: {
        method: request.method,
        path: request.path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: request.headers["user-agent"] ?? "",
      },
      requestId: request.requestId,
      routeKey,
      stage: "$default",
      time: clfTime(request.at),
      timeEpoch: request.at.getTime(),
    },
    ...(Object.keys(params).length > 0 ? { pathParameters: params } : {}),
  };
}

/** The event of a Lambda proxy integration. `context` is what a Lambda authorizer put into its answer. */
export function integrationEvent(
  request: GatewayRequest,
  routeKey: string,
  params: Readonly<Record<string, string>>,
  context?: unknown,
) {
  const event = commonEvent(request, routeKey, params);
  const asBytes = !isText(request.headers["content-type"], request.headers["content-encoding"]);
  const hasBody = request.body.length > 0;
  return {
    ...event,
    requestContext: {
      ...event.requestContext,
      ...(context === undefined ? {} : { authorizer: { lambda: context } }),
    },
    ...(hasBody ? { body: request.body.toString(asBytes ? "base64" : "utf8") } : {}),
    isBase64Encoded: hasBody && asBytes,
  };
}

/**
 * Content types whose bodies HTTP APIs hand on as text: text/*, JSON, XML and JavaScript. Everything else, a form and
 * a missing content type included, goes in base64; so does whatever is compressed.
 */
function isText(contentType: string | undefined, contentEncoding: string | undefined): boolean {
  if (contentEncoding !== undefined && contentEncoding !== "identity") return false;
  const type = (contentType ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  return /^text\/.+|^application\/(json|xml|javascript)$/.test(type);
}

/** `12/Mar/2020:19:03:58 +0000` */
function clfTime(at: Date): string {
  const [, day, month, year, time] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(at.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${time} +0000`;
}

function parameters(query: string): Record<string, string> | undefined {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query))
    values.set(name, [...(values.get(name) ?? []), value]);
  if (values.size === 0) return undefined;
  return Object.fromEntries([...values].map(([name, all]) => [name, all.join(",")]));
}

function joined(headers: NodeJS.Dict<string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, values]) => [name, (values ?? []).join(name === "cookie" ? "; " : ",")]),
  );
}

const HOP_BY_HOP = new Set<keyof IncomingHttpHeaders | string>([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "te",
  "upgrade",
  "expect",
]);

const sorted = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).sort(([a], [b]) => (a < b ? -1 : 1)));

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
