import type { AnyOperation } from "../../shared/domain/read-api/operations";
import { DEFAULT_PERIOD, NAMED_PERIODS } from "../../shared/domain/read-api/period";

/** The parameters all reads share (contract: "Read API: shared rules"), as assistants are told of them. */
const SHARED = {
  site_id: {
    type: "integer",
    minimum: 1,
    description: "The site to read. The tool `sites` lists those there are.",
  },
  period: {
    type: "string",
    enum: Object.keys(NAMED_PERIODS),
    description: `Whole days up to today, today included; \`yesterday\` is that day alone. Overrides from and to. When neither is given: ${DEFAULT_PERIOD}.`,
  },
  from: {
    type: "string",
    format: "date",
    description: "First day, inclusive, as YYYY-MM-DD. Together with to; at most 366 days.",
  },
  to: { type: "string", format: "date", description: "Last day, inclusive, as YYYY-MM-DD." },
  timezone: {
    type: "string",
    default: "UTC",
    description: "IANA name of the time zone that days are cut in, such as Europe/Berlin.",
  },
} as const;

/** The JSON Schema of an operation's arguments: its parameters on /v1, under the same names. */
export const argumentsOf = ({ parameters = {} }: Pick<AnyOperation, "parameters">) => ({
  type: "object" as const,
  properties: {
    ...SHARED,
    ...Object.fromEntries(
      Object.entries(parameters).map(([name, { schema, description }]) => [name, { ...schema, description }]),
    ),
  },
  required: ["site_id"],
});

/**
 * Arguments as the query of the same question on /v1, so that there they are judged by the same rules. Null is what models
 * send for what they leave out, and is left out. A list or an object is the value of no parameter, and like an empty one is
 * answered with the parameter's own error.
 */
export function queryOf(given: Readonly<Record<string, unknown>>): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value !== null) query.append(name, typeof value === "object" ? "" : String(value));
  }
  return query;
}
