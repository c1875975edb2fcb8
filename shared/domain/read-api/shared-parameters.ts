import { DEFAULT_PERIOD, NAMED_PERIODS } from "./period";
import { MAX_DAYS } from "./range";

/** A parameter as callers are told of it. */
export interface DescribedParameter {
  readonly required?: boolean;
  readonly description: string;
  /** JSON Schema of the values that make sense. */
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string | number;
}

/** The parameters that all operations have (contract: "Read API: shared rules"), in the order they are best thought of. */
export const SHARED_PARAMETERS: Readonly<Record<string, DescribedParameter>> = {
  site_id: {
    required: true,
    description: "Number of the site to read: a positive whole number. The key must have access to it.",
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  period: {
    description: `A range by its name; \`from\` and \`to\` are then not looked at. \`last_Nd\` is N local days ending today, today included. With neither \`period\` nor \`from\` and \`to\` the range is ${DEFAULT_PERIOD}.`,
    schema: { type: "string", enum: Object.keys(NAMED_PERIODS) },
    example: "last_7d",
  },
  from: {
    description: "First day of the range, inclusive, as YYYY-MM-DD in `timezone`. Only together with `to`.",
    schema: { type: "string", format: "date" },
    example: "2026-11-18",
  },
  to: {
    description: `Last day of the range, inclusive, as YYYY-MM-DD in \`timezone\`. Only together with \`from\`, not before it, and at most ${MAX_DAYS} days in all.`,
    schema: { type: "string", format: "date" },
    example: "2026-11-20",
  },
  timezone: {
    description: "IANA name of the time zone whose days are meant, for the range and for rows by day.",
    schema: { type: "string", default: "UTC" },
    example: "Europe/Berlin",
  },
};
