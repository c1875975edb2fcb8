import type * as z from "zod";
import { describeSchema, type JsonSchema } from "../../shared/domain/openapi/json-schema";

interface Described {
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
  readonly items?: Described;
}

/** The fields of an answer in order, one a line, by path: "`totals.leads` (integer): Leads in the range." */
export const fieldLines = (schema: z.ZodType): readonly string[] =>
  Object.entries(propertiesOf(describeSchema(schema, "output"))).flatMap(([name, one]) => lines(name, one));

const propertiesOf = (schema: JsonSchema): Readonly<Record<string, Described>> =>
  (schema as Described).properties ?? {};

function lines(path: string, schema: Described): string[] {
  const { type = "any", format, description, properties, items } = schema;
  if (properties) return Object.entries(properties).flatMap(([name, one]) => lines(`${path}.${name}`, one));
  if (items) return [line(`${path}[]`, "rows", description), ...lines(`${path}[]`, items)];
  return [line(path, format ?? type, description)];
}

const line = (path: string, type: string, description = ""): string =>
  `- \`${path}\` (${type}): ${description}`.trimEnd();
