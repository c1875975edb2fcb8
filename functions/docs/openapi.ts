import { errorBody, errorRefs, errorResponses } from "../../shared/domain/openapi/errors";
import { describeComponents, refTo } from "../../shared/domain/openapi/json-schema";
import { READ_ERRORS } from "../../shared/domain/read-api/failures";
import { type AnyOperation, OPERATIONS } from "../../shared/domain/read-api/operations";
import { periodSchema } from "../../shared/domain/read-api/period";
import { type DescribedParameter, SHARED_PARAMETERS } from "../../shared/domain/read-api/shared-parameters";
import { ERROR_HEADERS, headerRefs, RESPONSE_HEADERS, SUCCESS_HEADERS } from "./headers";

const INFO = {
  title: "Attribution Analytics API",
  version: "1.0.0",
  summary: "Where a site's visits, leads and purchases come from: exact figures, read-only.",
  description:
    "Aggregate figures of one site for a range of days: visits, visitors, revenue, leads, pages, products, funnels, each credited to the traffic source behind it. Counts and totals only, never people. Money is in decimal dollars with 2 places, percentages have 2 decimals. To compare two ranges, ask twice with `from` and `to`.",
  license: { name: "MIT", identifier: "MIT" },
};

const TAG = { name: "Analytics", description: "Figures of one site for a range of days." };

/**
 * The OpenAPI 3.1 description of the read API, made from the schemas that answers leave through, the parameters that are read
 * and the table of errors.
 * @param origin where the service is, or "" for wherever the description was fetched from
 */
export const describeReadApi = (origin: string) => ({
  openapi: "3.1.0",
  info: INFO,
  servers: [{ url: isForOthers(origin) ? origin : "/" }],
  security: [{ apiKey: [] }],
  tags: [TAG],
  externalDocs: {
    url: `${origin}/api-docs/llms.txt`,
    description: "The same for people and language models.",
  },
  paths: Object.fromEntries(
    OPERATIONS.map((operation) => [`/v1/${operation.name}`, { get: describe(operation) }]),
  ),
  components: {
    schemas: describeComponents({
      Period: periodSchema,
      ...Object.fromEntries(OPERATIONS.map((operation) => [bodyName(operation), operation.response])),
      ErrorBody: errorBody(READ_ERRORS),
    }),
    headers: RESPONSE_HEADERS,
    responses: errorResponses(READ_ERRORS, (status) => headerRefs(ERROR_HEADERS[status] ?? [])),
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        description:
          "An API key of the site's Settings, Integrations page. It reads the sites its creator may see.",
      },
    },
  },
});

/** Whether the address means something on another machine. Where it does not, the description speaks of its own place. */
const isForOthers = (origin: string): boolean =>
  URL.canParse(origin) && !/^(localhost|127\..*|\[::1\])$/.test(new URL(origin).hostname);

const CACHE_CONTROL = {
  name: "Cache-Control",
  in: "header",
  required: false,
  description: "`no-cache` reads afresh. Otherwise an answer may be up to 60 seconds old.",
  schema: { type: "string", enum: ["no-cache"] },
};

function describe(operation: AnyOperation) {
  const { name, summary, description, example, parameters = {} } = operation;
  return {
    operationId: `get${capitalized(name)}`,
    tags: [TAG.name],
    summary,
    description,
    // Written out in each operation: assistants that take the description for their actions drop references to parameters.
    parameters: [...inQuery(SHARED_PARAMETERS), ...inQuery(parameters), CACHE_CONTROL],
    responses: {
      200: {
        description: "The figures, and the range they are of.",
        headers: headerRefs(SUCCESS_HEADERS),
        content: { "application/json": { schema: refTo(bodyName(operation)), example } },
      },
      ...errorRefs(READ_ERRORS),
    },
  };
}

const inQuery = (parameters: Readonly<Record<string, DescribedParameter>>) =>
  Object.entries(parameters).map(([name, { required = false, description, schema, example }]) => ({
    name,
    in: "query",
    required,
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  }));

const bodyName = ({ name }: AnyOperation): string => capitalized(name);

const capitalized = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`;
