import type * as z from "zod";
import type { ErrorCode } from "../../shared/domain/errors";
import { errorBody, errorRefs, errorResponses } from "../../shared/domain/openapi/errors";
import { describeSchema } from "../../shared/domain/openapi/json-schema";
import { PARAMETERS, type Route } from "./route";

/** What every operation may answer, and what goes by its form: see the README for the order. */
const COMMON_ERRORS = ["LOGIN_REQUIRED", "FORBIDDEN", "INTERNAL"] as const satisfies readonly ErrorCode[];
const BODY_ERRORS = ["BAD_REQUEST", "OVERSIZED"] as const satisfies readonly ErrorCode[];
const ERRORS: readonly ErrorCode[] = [
  ...COMMON_ERRORS,
  "PLAN_REQUIRED",
  "NOT_FOUND",
  ...BODY_ERRORS,
  "CONFLICT", // of every change, with a body or without: another may be faster
];

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
      version: "1.0.0",
      description:
        "What the dashboard does. Log in with POST /api/auth/login ({email, password}); the answer sets the session cookie. Changes are taken from pages of the same origin only.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ session: [] }],
    paths,
    components: {
      securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
      schemas: { ErrorBody: describeSchema(errorBody(), "output") },
      responses: errorResponses(ERRORS),
    },
  };
}

function operation({ method, path, summary, body, query, answer, status }: Route) {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string", pattern: PARAMETERS[name]?.source },
  }));
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: describeSchema(schema as z.ZodType, "input"),
  }));
  const parameters = [...inPath, ...inQuery];
  return {
    operationId: operationId(method, path),
    tags: [resourceOf(path)],
    summary,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: asJson(body, "input") } } : {}),
    responses: {
      [status]: { description: "Done", ...(answer ? { content: asJson(answer, "output") } : {}) },
      ...errorRefs([
        ...COMMON_ERRORS,
        ...(body ? BODY_ERRORS : []),
        ...(inQuery.length > 0 ? (["BAD_REQUEST"] as const) : []),
        ...(method === "GET" ? [] : (["CONFLICT"] as const)),
        ...(inPath.length > 0 ? (["NOT_FOUND"] as const) : []),
      ]),
    },
  };
}

const BASE = "/api/manage/";

/** `PATCH /api/manage/sites/{site_id}/api-keys/{key_id}` is `patchSitesBySiteIdApiKeysByKeyId`: unique, like its address. */
const operationId = (method: string, path: string): string =>
  method.toLowerCase() +
  path
    .slice(BASE.length)
    .split("/")
    .map((segment) => (segment.startsWith("{") ? `By${pascal(segment.slice(1, -1))}` : pascal(segment)))
    .join("");

const pascal = (name: string): string =>
  name
    .split(/[-_]/)
    .map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join("");

/** What an address is about: the first name in it, within a site the first after the site. */
const resourceOf = (path: string): string => {
  const [first = "", , inSite = first] = path.slice(BASE.length).split("/");
  return first === "sites" ? inSite : first;
};

const asJson = (schema: z.ZodType, io: "input" | "output") => ({
  "application/json": { schema: describeSchema(schema, io) },
});
