import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";

type Handler = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

export interface Sent {
  readonly body?: unknown;
  /** Sent as it is instead of `body`. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly address?: string;
  /** Without the question mark. */
  readonly query?: string;
}

export interface Received {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly cookies: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
  readonly body: any;
}

/** A browser on our own pages: keeps the session cookie and talks to a handler the way the gateway does. */
export class Browser {
  cookie: string | undefined;

  constructor(
    private readonly handlers: { readonly auth: Handler; readonly manage: Handler },
    private readonly address: string,
  ) {}

  async send(method: string, path: string, sent: Sent = {}): Promise<Received> {
    const handler = path.startsWith("/api/auth/") ? this.handlers.auth : this.handlers.manage;
    const answer = await handler(this.event(method, path, sent), { awsRequestId: "test" } as Context);
    const cookies = answer.cookies ?? [];
    for (const cookie of cookies) this.cookie = cookie.split(";")[0];
    return {
      status: answer.statusCode ?? 0,
      headers: answer.headers ?? {},
      cookies,
      body: answer.body ? JSON.parse(answer.body) : undefined,
    };
  }

  private event(
    method: string,
    path: string,
    { body, raw, headers = {}, address, query = "" }: Sent,
  ): APIGatewayProxyEventV2 {
    const bytes = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    return {
      version: "2.0",
      routeKey: "$default",
      rawPath: path,
      rawQueryString: query,
      headers: {
        host: "app.example",
        origin: "https://app.example",
        "x-forwarded-proto": "https",
        ...(bytes === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(this.cookie ? { cookies: [this.cookie] } : {}),
      ...(bytes === undefined ? {} : { body: Buffer.from(bytes).toString("base64") }),
      isBase64Encoded: bytes !== undefined,
      requestContext: {
        requestId: "request-1",
        http: { method, path, protocol: "HTTP/1.1", sourceIp: address ?? this.address, userAgent: "test" },
      } as APIGatewayProxyEventV2["requestContext"],
    };
  }
}
