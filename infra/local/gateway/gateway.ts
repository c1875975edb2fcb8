import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Outcome } from "../functions/pool";
import { listen } from "../listen";
import type { RouteModel } from "../template/model";
import { authorize } from "./authorizer";
import { type GatewayRequest, integrationEvent, toRequest } from "./request";
import { type GatewayResponse, INTERNAL_ERROR, message, toResponse } from "./response";
import { type Match, router } from "./routes";

/** Pages that exist on this machine only, by path; they come before the service's own routes. */
export type LocalPages = Readonly<
  Record<string, (incoming: IncomingMessage, response: ServerResponse) => void>
>;

export interface GatewayOptions {
  readonly routes: readonly RouteModel[];
  readonly pages: LocalPages;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
}

/** The HTTP API. It listens before the service behind it is known, so that a taken port is found out first. */
export interface Gateway {
  readonly port: number;
  readonly url: string;
  serve(options: GatewayOptions): void;
  close(): Promise<void>;
}

/** API Gateway's limits. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_HEADER_BYTES = 10_240;
/** What Lambda takes as the event of a synchronous invocation. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

const TOO_LARGE = message(413, "Request Entity Too Large");

/** @throws LocalFailure when the port is taken */
export async function openGateway(port: number): Promise<Gateway> {
  let answer = async (_: GatewayRequest): Promise<GatewayResponse> => message(503, "Service Unavailable");
  let pages: LocalPages = {};
  const server = createServer({ maxHeaderSize: MAX_HEADER_BYTES }, async (incoming, response) => {
    const page = pages[(incoming.url ?? "").split("?")[0] ?? ""];
    if (page) return page(incoming, response);
    const body = await bodyOf(incoming);
    if (body === "broken off") return response.destroy();
    if (body === "too large") return send(incoming, response, TOO_LARGE);
    const request = toRequest(incoming, body, new Date(), listening.port);
    const answered = request
      ? await answer(request).catch(() => INTERNAL_ERROR)
      : message(400, "Bad Request");
    send(incoming, response, answered, request?.requestId);
  });
  const listening = await listen(server, port);
  return {
    port: listening.port,
    url: `http://localhost:${listening.port}`,
    serve(options) {
      pages = options.pages;
      answer = answering(options);
    },
    close: listening.close,
  };
}

function answering({ routes, invoke }: GatewayOptions) {
  const find = router(routes);
  return async (request: GatewayRequest): Promise<GatewayResponse> => {
    const match = find(request.method, request.segments);
    if (!match) return message(404, "Not Found");
    const context =
      match.route.authorizer && (await authorize(match.route.authorizer, request, match, invoke));
    if (context && "refusal" in context) return context.refusal;
    return integrate(request, match, context?.context, invoke, match.route.timeoutMs);
  };
}

/** Calls the route's function: an error in it is a 500, no answer within the integration's limit a 503. */
async function integrate(
  request: GatewayRequest,
  { route, params }: Match<RouteModel>,
  context: unknown,
  invoke: GatewayOptions["invoke"],
  timeoutMs: number,
): Promise<GatewayResponse> {
  const event = integrationEvent(request, route.key, params, context);
  if ((event.body?.length ?? 0) > MAX_EVENT_BYTES) return TOO_LARGE;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(resolve, timeoutMs, "late");
  });
  const outcome = await Promise.race([invoke(route.functionArn, event), late]);
  clearTimeout(timer);
  if (outcome === "late") return message(503, "Service Unavailable");
  return outcome.ok ? toResponse(outcome.payload) : INTERNAL_ERROR;
}

/**
 * All bytes of the body. Of one that is too large the rest is read and dropped, so that the caller hears it; one whose
 * caller went away is no request, however much of it there is.
 */
async function bodyOf(incoming: IncomingMessage): Promise<Buffer | "too large" | "broken off"> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
      else chunks.length = 0;
    }
  } catch {
    return "broken off";
  }
  return size > MAX_BODY_BYTES ? "too large" : Buffer.concat(chunks);
}

function send(
  incoming: IncomingMessage,
  response: ServerResponse,
  answer: GatewayResponse,
  requestId?: string,
): void {
  const bodiless = answer.status === 204 || answer.status === 304 || incoming.method === "HEAD";
  response.writeHead(answer.status, {
    ...answer.headers,
    ...(answer.status === 204 ? {} : { "content-length": answer.body.length }),
    ...(answer.cookies.length > 0 ? { "set-cookie": [...answer.cookies] } : {}),
    ...(requestId === undefined ? {} : { "apigw-requestid": requestId }),
  });
  response.end(bodiless ? undefined : answer.body);
}
