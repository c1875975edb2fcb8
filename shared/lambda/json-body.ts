import type * as z from "zod";
import { ApiError } from "../domain/errors";
import type { HttpRequest } from "./http";

const MAX_BYTES = 64 * 1024;

/**
 * The request's JSON body, as `schema` reads it. Throws BAD_REQUEST naming the field, or OVERSIZED. The content type is
 * insisted on because a form on another site cannot send it without being asked for permission first.
 */
export function readJson<Body>({ headers, body }: HttpRequest, schema: z.ZodType<Body>): Body {
  if (!/^application\/json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
    throw new ApiError(
      "BAD_REQUEST",
      "Send the body as JSON, with the header Content-Type: application/json.",
    );
  }
  if (body.length > MAX_BYTES) throw new ApiError("OVERSIZED", "The body is larger than 64 KB.");
  const parsed = schema.safeParse(parse(body), { error: explain });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".");
  throw new ApiError("BAD_REQUEST", `${field ? `${field}: ` : ""}${issue?.message ?? "is not valid"}.`);
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new ApiError("BAD_REQUEST", "The body is not valid JSON.");
  }
}

/** Says what is missing plainly; everything else in the words of the schema. */
const explain: z.core.$ZodErrorMap = (issue) =>
  issue.code === "invalid_type" && issue.input === undefined ? "is required" : undefined;
