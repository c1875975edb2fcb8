import { validateHeaderName, validateHeaderValue } from "node:http";
import * as z from "zod";

/** What goes back over the wire. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

const structured = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullish(),
  cookies: z.array(z.string()).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.boolean().nullish(),
});

/** The gateway's own answers have this body. */
export function message(status: number, text: string): GatewayResponse {
  return {
    status,
    headers: { "content-type": "application/json" },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message: text })),
  };
}

export const INTERNAL_ERROR = message(500, "Internal Server Error");

/**
 * What a function's result becomes (payload format 2.0): with a `statusCode` it is the response; without one the whole
 * result is the body of a 200, a string as it is, anything else as JSON. A result of the wrong form is a 500.
 */
export function toResponse(result: unknown): GatewayResponse {
  if (typeof result !== "object" || result === null || !("statusCode" in result)) {
    return {
      status: 200,
      headers: { "content-type": "application/json" },
      cookies: [],
      body: Buffer.from(typeof result === "string" ? result : JSON.stringify(result ?? null)),
    };
  }
  const parsed = structured.safeParse(result);
  if (!parsed.success) return INTERNAL_ERROR;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  const given = Object.entries(headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), String(value)] as const,
  );
  if (!given.every(([name, value]) => isHeader(name, value))) return INTERNAL_ERROR;
  if (!(cookies ?? []).every((cookie) => isHeader("set-cookie", cookie))) return INTERNAL_ERROR;
  return {
    status: statusCode,
    headers: {
      "content-type": "text/plain;charset=UTF-8",
      ...Object.fromEntries(given.filter(([name]) => !OWN.has(name))),
    },
    cookies: cookies ?? [],
    body: Buffer.from(body ?? "", isBase64Encoded ? "base64" : "utf8"),
  };
}

/** Headers that the gateway writes itself. */
const OWN = new Set(["connection", "content-length", "keep-alive", "transfer-encoding", "date"]);

function isHeader(name: string, value: string): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}
