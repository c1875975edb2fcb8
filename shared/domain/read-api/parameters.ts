import { ApiError } from "../errors";

/**
 * The value of the query parameter `name`, or undefined when it is absent. One that is sent empty is not absent: its
 * value is judged like any other. One that is sent twice has no single value; its values come joined by a comma, as the
 * gateway itself joins them, which no rule of this API accepts. So a mistake is answered with the parameter's own error
 * and never with figures for something else than was meant.
 */
export function parameter(query: URLSearchParams, name: string): string | undefined {
  const values = query.getAll(name);
  return values.length === 0 ? undefined : values.join(",");
}

/**
 * The site asked for. Absent: MISSING_SITE_ID. Anything but ASCII digits, or zero (also empty, signed, decimal or
 * exponential, with spaces): BAD_SITE_ID. Leading zeros do not matter. A number too large to be any site's is a positive whole
 * number all the same; it comes back as Infinity, the number of no site.
 */
export function readSiteId(query: URLSearchParams): number {
  const text = parameter(query, "site_id");
  if (text === undefined) throw new ApiError("MISSING_SITE_ID");
  if (!/^0*[1-9][0-9]*$/.test(text)) throw new ApiError("BAD_SITE_ID");
  const site = Number(text);
  return Number.isSafeInteger(site) ? site : Number.POSITIVE_INFINITY;
}

/** Values of an operation's own parameters, by name. */
export type Values = Readonly<Record<string, string | number>>;

/** A parameter of one operation. It has no error code of its own, so it makes do with whatever it is given. */
export interface OwnParameter<Value extends string | number> {
  readonly description: string;
  /** JSON Schema of the values that make sense. */
  readonly schema: Readonly<Record<string, unknown>>;
  read(text: string | undefined): Value;
}

/** A whole number brought into [min, max]; what is none becomes `fallback` (decisions: "`limit`"). */
export function clampedInteger(limits: {
  readonly description: string;
  readonly min: number;
  readonly max: number;
  readonly fallback: number;
}): OwnParameter<number> {
  const { description, min, max, fallback } = limits;
  return {
    description,
    schema: { type: "integer", minimum: min, maximum: max, default: fallback },
    read: (text = "") => (/^-?[0-9]+$/.test(text) ? Math.min(Math.max(Number(text), min), max) : fallback),
  };
}
