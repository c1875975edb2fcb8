import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import {
  errorResponse,
  type HttpRequest,
  type HttpResponse,
  JSON_HEADERS,
  json,
} from "../../shared/lambda/http";
import type { Admission } from "../../shared/ports/rolling-window";
import { INSTRUCTIONS } from "./instructions";
import type { Tool } from "./tool";

/** Far more than any question needs. */
const MAX_BODY_BYTES = 64 * 1024;

const SERVER = { name: "attribution-analytics", title: "Attribution analytics", version: "1" };

/**
 * Answers one message of the Model Context Protocol (streamable HTTP, no session, JSON answers): the SDK's own server and
 * transport, made anew for each request, as it wants them where there is no session. What is wrong with a message is
 * told in JSON-RPC.
 */
export async function converse(
  tools: readonly Tool[],
  request: HttpRequest,
  admission: Promise<Admission>,
): Promise<HttpResponse> {
  const text = new TextDecoder().decode(request.body);
  if (/^\s*\[/.test(text)) return NO_BATCHES;
  const server = serverOf(tools, request, admission);
  const transport = new WebStandardStreamableHTTPServerTransport({
    enableJsonResponse: true,
    maxRequestBodySize: MAX_BODY_BYTES,
  });
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(toWebRequest(request, text));
    const body = await response.text();
    return { status: response.status, ...(body === "" ? {} : { body, headers: JSON_HEADERS }) };
  } finally {
    await server.close();
  }
}

function serverOf(tools: readonly Tool[], request: HttpRequest, admission: Promise<Admission>): Server {
  const server = new Server(SERVER, {
    capabilities: { tools: {} },
    instructions: INSTRUCTIONS,
    jsonSchemaValidator: ASKS_NOTHING,
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map((tool) => tool.list()) }));
  server.setRequestHandler(anyToolCall, async (message) => {
    const { name, arguments: given = {} } = CallToolRequestSchema.parse(message).params;
    const tool = tools.find((tool) => tool.name === name);
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}. ${known(tools)}`);
    const call = { given, request, admission };
    return toResult(await tool.call(call).catch((error: unknown) => errorResponse(error, request)));
  });
  return server;
}

/** Takes any form of call, so that the SDK gets to refuse a wrong one with the right code: it does so past this schema only. */
const anyToolCall = z.looseObject({ method: z.literal("tools/call") });

const known = (tools: readonly Tool[]) => `There are ${tools.map(({ name }) => name).join(", ")}.`;

/** An error is a result too: one that the assistant reads and can correct, where a protocol error would end at its client. */
function toResult({ status, body }: HttpResponse): CallToolResult {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const content = [{ type: "text" as const, text }];
  return status === 200 ? { content, structuredContent: JSON.parse(text) } : { content, isError: true };
}

/** Of the headers only what the transport heeds. It insists on an `Accept` that changes nothing about our answers. */
function toWebRequest({ headers }: HttpRequest, body: string): Request {
  const passed = ["content-type", "mcp-protocol-version"].flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, value.replace(/[^\x20-\x7e]/g, "?")] as [string, string]];
  });
  return new Request("https://mcp.invalid/", {
    method: "POST",
    headers: [["accept", "application/json, text/event-stream"], ...passed],
    body,
  });
}

/** Of the protocol's versions one had batches, and no client sends them; a request is one call, and is counted as one. */
const NO_BATCHES = json(400, {
  jsonrpc: "2.0",
  error: { code: ErrorCode.InvalidRequest, message: "Batches are not taken. Send one message per request." },
  id: null,
});

/** Servers may ask clients questions and validate what they answer. This one does not. */
const ASKS_NOTHING = {
  getValidator: () => {
    throw new Error("nothing was asked");
  },
};
