import { LocalFailure } from "../failure";

/** Whether an event fits a rule's pattern. */
export type Matches = (event: unknown) => boolean;

type Condition = (value: unknown) => boolean;

/**
 * Compiles an EventBridge pattern: every field must fit; lists are alternatives, and a list in the event fits when one
 * of its items does. Known content filters: prefix, suffix, anything-but, exists, equals-ignore-case, numeric.
 * @throws LocalFailure for a filter that is not known
 */
export function eventPattern(pattern: unknown): Matches {
  if (typeof pattern !== "object" || pattern === null)
    throw new LocalFailure("An event pattern is no object.");
  const fields = Object.entries(pattern).map(([name, expected]): [string, Matches] => [
    name,
    Array.isArray(expected) ? anyOf(expected.map(condition)) : eventPattern(expected),
  ]);
  return (event) => {
    const record = typeof event === "object" && event !== null ? (event as Record<string, unknown>) : {};
    return fields.every(([name, matches]) => matches(record[name]));
  };
}

function anyOf(conditions: readonly Condition[]): Condition {
  return (value) =>
    Array.isArray(value)
      ? value.some((item) => conditions.some((holds) => holds(item)))
      : conditions.some((holds) => holds(value));
}

function condition(expected: unknown): Condition {
  if (typeof expected !== "object" || expected === null) return (value) => value === expected;
  const [[filter, argument] = ["", undefined]] = Object.entries(expected);
  const text =
    (test: (value: string) => boolean): Condition =>
    (value) =>
      typeof value === "string" && test(value);
  switch (filter) {
    case "prefix":
      return text((value) => value.startsWith(String(argument)));
    case "suffix":
      return text((value) => value.endsWith(String(argument)));
    case "equals-ignore-case":
      return text((value) => value.toLowerCase() === String(argument).toLowerCase());
    case "exists":
      return (value) => (value !== undefined) === argument;
    case "anything-but": {
      const excluded = (Array.isArray(argument) ? argument : [argument]).map(condition);
      return (value) => value !== undefined && !excluded.some((holds) => holds(value));
    }
    case "numeric":
      return numeric(argument as (string | number)[]);
    default:
      throw new LocalFailure(`The local event bus does not know the filter "${filter}".`);
  }
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function numeric(parts: readonly (string | number)[]): Condition {
  return (value) =>
    typeof value === "number" &&
    parts.every(
      (part, index) =>
        index % 2 === 1 || COMPARISONS[String(part)]?.(value, Number(parts[index + 1])) === true,
    );
}
