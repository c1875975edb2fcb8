import type { Tool as ListedTool } from "@modelcontextprotocol/sdk/types.js";
import type * as z from "zod";
import { describeSchema } from "../../shared/domain/openapi/json-schema";
import type { HttpRequest, HttpResponse } from "../../shared/lambda/http";
import type { Admission } from "../../shared/ports/rolling-window";

/** What an assistant may call. */
export interface Tool {
  readonly name: string;
  /** As assistants are told of it. */
  list(): ListedTool;
  /** Answers a call in the manner of the read API: a body with status 200, or `{error, code}`. */
  call(call: ToolCall): Promise<HttpResponse>;
}

export interface ToolCall {
  /** As the assistant gave them: of any type, and any others besides. */
  readonly given: Readonly<Record<string, unknown>>;
  /** What brought the call, with its caller's verdict. */
  readonly request: HttpRequest;
  /** Whether the rate limit admits the request. A request is counted once; whoever asks again is told the same. */
  readonly admission: Promise<Admission>;
}

/** Nothing is changed by any tool, and nothing outside the service is asked. */
export const READS_ONLY = { readOnlyHint: true, idempotentHint: true, openWorldHint: false } as const;

type OutputSchema = NonNullable<ListedTool["outputSchema"]>;

/** The JSON Schema of the objects that leave through `schema`. */
export const outputOf = (schema: z.ZodType<object>): OutputSchema =>
  describeSchema(schema, "output") as OutputSchema;
