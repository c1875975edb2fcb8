import type { AnyOperation } from "../../shared/domain/read-api/operations";
import { type DescribedParameter, SHARED_PARAMETERS } from "../../shared/domain/read-api/shared-parameters";

/** The JSON Schema of an operation's arguments: its parameters on /v1, under the same names. */
export function argumentsOf({ parameters = {} }: Pick<AnyOperation, "parameters">) {
  const all = Object.entries<DescribedParameter>({ ...SHARED_PARAMETERS, ...parameters });
  return {
    type: "object" as const,
    properties: Object.fromEntries(
      all.map(([name, { schema, description }]) => [name, { ...schema, description }]),
    ),
    required: all.flatMap(([name, { required = false }]) => (required ? [name] : [])),
  };
}

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
