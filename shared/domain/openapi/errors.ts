import * as z from "zod";
import { ApiError, ERRORS, type ErrorCode } from "../errors";
import { refTo } from "./json-schema";

/** The body of every error, with the codes it may carry where they are few enough to list. */
export const errorBody = (codes?: readonly ErrorCode[]) =>
  z
    .object({
      error: z.string().describe("What went wrong and what to do about it, for people."),
      code: (codes ? z.enum(codes) : z.string()).describe("Which error it is, for programs."),
    })
    .describe("The body of every answer that is not a success.");

const NAMES: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  413: "ContentTooLarge",
  429: "TooManyRequests",
  500: "InternalError",
  504: "QueryTimeout",
};

/** The name that the response for an error's status has among the components. */
const nameOf = (status: number): string => NAMES[status] ?? `Status${status}`;

interface ErrorResponse {
  readonly description: string;
  readonly headers?: unknown;
  readonly content: unknown;
}

/**
 * One response for each status that `codes` have, by its name among the components: what each code means, and an example of
 * each. The body is the component `ErrorBody`. `headersOf` says what a response's `headers` are.
 */
export function errorResponses(
  codes: readonly ErrorCode[],
  headersOf: (status: number) => unknown = () => undefined,
): Record<string, ErrorResponse> {
  return Object.fromEntries(
    [...byStatus(codes)].map(([status, some]) => {
      const headers = headersOf(status);
      return [
        nameOf(status),
        {
          description: some.map((code) => `\`${code}\`: ${ERRORS[code][1]}`).join("\n\n"),
          ...(headers === undefined ? {} : { headers }),
          content: { "application/json": { schema: refTo("ErrorBody"), examples: examplesOf(some) } },
        },
      ];
    }),
  );
}

/** What an operation says of the errors it may answer: a reference to the response for each status. */
export function errorRefs(codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(
    [...byStatus(codes).keys()].map((status) => [
      status,
      { $ref: `#/components/responses/${nameOf(status)}` },
    ]),
  );
}

const byStatus = (codes: readonly ErrorCode[]): Map<number, ErrorCode[]> =>
  Map.groupBy(codes, (code) => ERRORS[code][0]);

const examplesOf = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(codes.map((code) => [code, { value: new ApiError(code).toBody() }]));
