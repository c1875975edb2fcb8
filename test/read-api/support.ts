import { gunzipSync } from "node:zlib";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import * as z from "zod";
import type { Site, Verdict } from "../../shared/domain/access/principal";
import { MINUTE } from "../../shared/domain/instant";
import { periodSchema } from "../../shared/domain/read-api/period";
import { httpFunction } from "../../shared/lambda/http";
import { log } from "../../shared/lambda/log";
import type { ReadDefinition } from "../../shared/lambda/read-api/definition";
import { type ReadDependencies, readEndpoint } from "../../shared/lambda/read-endpoint";
import type { Admission } from "../../shared/ports/rolling-window";

log.setLogLevel("SILENT"); // failures are provoked here

export const NOW = Date.parse("2026-11-21T12:00:00Z");

export const SITE: Site = { id: 12, workspace: 1, domain: "shop.example", name: "Shop" };
const OTHER_SITE: Site = { id: 13, workspace: 1, domain: "blog.example", name: "Blog" };
const FOREIGN_SITE: Site = { id: 99, workspace: 2, domain: "else.example", name: "Elsewhere" };
const SITES = [SITE, OTHER_SITE, FOREIGN_SITE];

/** A key of workspace 1 that reads all its sites. */
export const granted = (sites: "all" | number[] = "all", keyId = "key_1"): Verdict => ({
  principal: { keyId, workspace: 1, sites },
});

interface RequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: string[];
  readonly body?: string;
  /** The authorizer's context. */
  readonly context?: Record<string, unknown>;
}

/** A request as the gateway hands it over. */
export function event(query: string, options: RequestOptions = {}): APIGatewayProxyEventV2 {
  const { method = "GET", path = "/v1/figures", headers = {}, context, cookies, body } = options;
  const event = {
    version: "2.0",
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers,
    isBase64Encoded: false,
    ...(cookies ? { cookies } : {}),
    ...(body === undefined ? {} : { body }),
    requestContext: {
      accountId: "1",
      apiId: "api",
      domainName: "api.example",
      domainPrefix: "api",
      http: { method, path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
      requestId: "request-1",
      routeKey: `${method} ${path}`,
      stage: "$default",
      time: "",
      timeEpoch: NOW,
      ...(context ? { authorizer: { lambda: context } } : {}),
    },
  };
  return event;
}

export type Answer = {
  readonly status: number | undefined;
  readonly headers: Record<string, string | number | boolean>;
  readonly text: string;
  readonly json: () => unknown;
};

export type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** What a client sees of a handler's answer. */
export async function send(handler: Handler, request: APIGatewayProxyEventV2): Promise<Answer> {
  const result = await handler(request, { awsRequestId: "lambda-1" } as Context);
  const bytes = Buffer.from(result.body ?? "", result.isBase64Encoded ? "base64" : "utf8");
  const text = (result.headers?.["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
  return { status: result.statusCode, headers: result.headers ?? {}, text, json: () => JSON.parse(text) };
}

/** A caller of a read endpoint. */
export const ask = (
  handler: Handler,
  query = "site_id=12",
  { verdict = granted(), headers = {} }: { verdict?: Verdict; headers?: Record<string, string> } = {},
): Promise<Answer> => send(handler, event(query, { headers, context: { verdict: JSON.stringify(verdict) } }));

export const codeOf = (answer: Answer): string => z.object({ code: z.string() }).parse(answer.json()).code;

const ADMITTED: Admission = { allowed: true, remaining: 199, resetAt: NOW + MINUTE, retryAfterMs: 0 };
export const REFUSED: Admission = { allowed: false, remaining: 0, resetAt: NOW + 1_500, retryAfterMs: 1_500 };

const figuresSchema = z.object({ period: periodSchema, figures: z.number() });
export type Figures = z.infer<typeof figuresSchema>;

/** Everything around an endpoint in memory; the store behind each part is tested on the engine. */
export function readApi(overrides: Partial<ReadDependencies> = {}) {
  const kept = new Map<string, { text: string; asOf: number }>();
  const world = {
    now: NOW,
    admission: ADMITTED,
    /** Keys that were counted, sites looked up, questions computed. */
    counted: [] as string[],
    lookedUp: [] as number[],
    computed: 0,
    kept,
  };
  const dependencies: ReadDependencies = {
    sites: {
      find: async (id) => {
        world.lookedUp.push(id);
        return SITES.find((site) => site.id === id) ?? null;
      },
    },
    rateLimit: {
      take: async (key) => {
        world.counted.push(key);
        return world.admission;
      },
    },
    cache: {
      read: async (key, now) => {
        const entry = kept.get(key);
        return entry && entry.asOf > now - MINUTE ? entry.text : null;
      },
      write: async (key, text, asOf) => {
        kept.set(key, { text, asOf });
      },
    },
    clock: () => world.now,
    ...overrides,
  };

  /** An endpoint that answers how many times it was computed, or as `definition` has it. */
  const endpoint = <Parameters extends Record<string, string | number>, Prepared>(
    definition: Partial<ReadDefinition<Figures, Parameters, Prepared>> = {},
  ): Handler =>
    httpFunction(
      readEndpoint<Figures, Parameters, Prepared>(
        {
          name: "figures",
          response: figuresSchema,
          query: async () => ({ figures: ++world.computed }),
          ...definition,
        },
        dependencies,
      ),
    );
  return { world, dependencies, endpoint };
}
