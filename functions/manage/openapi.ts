import * as z from "zod";
import { PARAMETERS, type Route } from "./route";

/** The OpenAPI 3.1 description of the management API, made from the schemas that requests and answers go through. */
export function describeApi(routes: readonly Route[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Management API",
      version: "1",
      description:
        "What the dashboard does. Log in with POST /api/auth/login ({email, password}); the answer sets the session cookie. Changes are taken from pages of the same origin only.",
    },
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
      responses: {
        Error: { description: "An error", content: asJson(errorSchema, "output") },
      },
    },
  };
}

const errorSchema = z.object({ error: z.string(), code: z.string() });

function operation({ path, summary, body, answer, status }: Route) {
  const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: PARAMETERS[name]?.source },
  }));
  return {
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: asJson(body, "input") } } : {}),
    responses: {
      [status]: { description: "Done", ...(answer ? { content: asJson(answer, "output") } : {}) },
      default: { $ref: "#/components/responses/Error" },
    },
  };
}

function asJson(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io });
  return { "application/json": { schema: described } };
}
