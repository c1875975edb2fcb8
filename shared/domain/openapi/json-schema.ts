import * as z from "zod";

/** A JSON Schema, draft 2020-12: the dialect of OpenAPI 3.1. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a zod schema takes (`input`) or gives (`output`), for an OpenAPI description. */
export function describeSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return withoutAddress(z.toJSONSchema(schema, { io, override: plainly }));
}

/** Output schemas by the name they have among the components. Where one holds another, it refers to it. */
export function describeComponents(schemas: Readonly<Record<string, z.ZodType>>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(schemas)) registry.add(schema, { id });
  const { schemas: described } = z.toJSONSchema(registry, { uri: componentRef, override: plainly });
  return Object.fromEntries(Object.entries(described).map(([id, one]) => [id, withoutAddress(one)]));
}

const componentRef = (id: string): string => `#/components/schemas/${id}`;

/** A reference to one of {@link describeComponents}. */
export const refTo = (id: string): JsonSchema => ({ $ref: componentRef(id) });

/** Leaves out what says nothing to people: that an integer is a safe one, and a date's format once more as a pattern. */
function plainly({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
}

function withoutAddress({ $schema, $id, ...schema }: z.core.JSONSchema.BaseSchema): JsonSchema {
  return schema;
}
