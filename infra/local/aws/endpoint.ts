import { randomUUID } from "node:crypto";
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { listen } from "../listen";
import { ACCOUNT } from "../template/addresses";
import type { FunctionModel } from "../template/model";
import { needsOf, SERVICES } from "./actions";
import type { KmsAnswer } from "./kms";
import { type Allows, permissions } from "./permissions";

/** What stands behind the endpoint. */
export interface AwsServices {
  readonly region: string;
  readonly functions: readonly FunctionModel[];
  readonly dynamoUrl: string;
  readonly sqsUrl: string;
  /** Answers the body of PutEvents. */
  putEvents(body: unknown): unknown;
  /** Answers a request to KMS. */
  kms(operation: string, body: unknown): KmsAnswer;
  /** Hears of every refusal, so that a missing grant is seen before it is deployed. */
  onDenied(message: string): void;
}

/** The one address that all functions have for AWS. It listens before anything stands behind it. */
export interface AwsEndpoint {
  readonly url: string;
  serve(services: AwsServices): void;
  close(): Promise<void>;
}

/** The key of the person at the machine, who may do everything. */
const OPERATOR_KEY = "local";

/** The access key id by which the endpoint knows which function is calling. */
export const accessKeyOf = (fn: Pick<FunctionModel, "logicalId">): string => `AKIALOCAL${fn.logicalId}`;

interface Caller {
  readonly arn: string;
  readonly allows: Allows;
}

/**
 * Starts the endpoint on a free port. Who calls is told by the access key in the signature (each function has its own;
 * the signature itself is not verified). What the caller's role in the template does not grant is refused as AWS
 * refuses it; the rest goes on to the service, bytes unchanged.
 */
export async function openAwsEndpoint(): Promise<AwsEndpoint> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  let handle = (_: IncomingMessage, response: ServerResponse): void => {
    refuse(response, 503, "ServiceUnavailable", "The local run is still starting.");
  };
  const server = createServer((incoming, response) => handle(incoming, response));
  server.keepAliveTimeout = 60_000;
  const { port, close } = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}`,
    serve(services) {
      handle = serving(services, agent);
    },
    async close() {
      await close();
      agent.destroy();
    },
  };
}

function serving(services: AwsServices, agent: Agent) {
  const callers = new Map(services.functions.map((fn) => [accessKeyOf(fn), callerOf(fn)]));
  callers.set(OPERATOR_KEY, { arn: `arn:aws:iam::${ACCOUNT}:user/operator`, allows: () => true });

  return (incoming: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = Buffer.concat(chunks);
      const [prefix = "", operation = ""] = String(incoming.headers["x-amz-target"]).split(".");
      const service = SERVICES[prefix];
      const caller = callers.get(accessKeyIn(incoming.headers.authorization) ?? "");
      const known = service !== undefined && (service !== "events" || operation === "PutEvents");
      if (!known)
        return refuse(
          response,
          400,
          "UnknownOperationException",
          `No local service takes ${prefix}.${operation}.`,
        );
      if (!caller)
        return refuse(response, 400, "UnrecognizedClientException", "The security token is invalid.");

      const parsed = parse(body);
      const denied = needsOf(service, operation, parsed, services.region).find(
        (need) => !caller.allows(need.action, need.resource),
      );
      if (denied) {
        const message = `User: ${caller.arn} is not authorized to perform: ${denied.action} on resource: ${denied.resource} because no identity-based policy allows the ${denied.action} action`;
        services.onDenied(message);
        return refuse(response, 400, "AccessDeniedException", message, service === "sqs");
      }
      if (service === "events") return answer(response, services.putEvents(parsed));
      if (service === "kms") {
        const answered = services.kms(operation, parsed);
        if ("body" in answered) return answer(response, answered.body);
        return refuse(response, 400, answered.type, answered.message);
      }
      forward(service === "sqs" ? services.sqsUrl : services.dynamoUrl, agent, incoming, body, response);
    });
  };
}

function callerOf(fn: FunctionModel): Caller {
  const role = fn.roleArn.split("/").at(-1);
  return {
    arn: `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/${fn.name}`,
    allows: permissions(fn.statements),
  };
}

const accessKeyIn = (authorization: string | undefined): string | undefined =>
  /Credential=([^/]+)\//.exec(authorization ?? "")?.[1];

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined; // the service says what is wrong with it
  }
}

function forward(
  origin: string,
  agent: Agent,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): void {
  const { hostname, port, host } = new URL(origin);
  const headers = { ...incoming.headers, host, "content-length": body.length };
  const outgoing = request(
    { agent, hostname, port, method: "POST", path: incoming.url, headers },
    (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    },
  );
  outgoing.on("error", (error) => {
    if (response.headersSent) response.destroy();
    else refuse(response, 500, "InternalServerError", error.message);
  });
  outgoing.end(body);
}

function answer(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/x-amz-json-1.1", "x-amzn-requestid": randomUUID() });
  response.end(JSON.stringify(body));
}

function refuse(
  response: ServerResponse,
  status: number,
  type: string,
  message: string,
  isSqs = false,
): void {
  response.writeHead(status, {
    "content-type": "application/x-amz-json-1.0",
    "x-amzn-requestid": randomUUID(),
    ...(isSqs ? { "x-amzn-query-error": `${type};Sender` } : {}),
  });
  response.end(JSON.stringify({ __type: `com.amazon.coral.service#${type}`, Message: message, message }));
}
