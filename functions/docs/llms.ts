import { ERRORS, type ErrorCode } from "../../shared/domain/errors";
import { SECOND } from "../../shared/domain/instant";
import { READ_ERRORS } from "../../shared/domain/read-api/failures";
import { type AnyOperation, OPERATIONS } from "../../shared/domain/read-api/operations";
import { DEFAULT_PERIOD } from "../../shared/domain/read-api/period";
import { MAX_DAYS } from "../../shared/domain/read-api/range";
import { type DescribedParameter, SHARED_PARAMETERS } from "../../shared/domain/read-api/shared-parameters";
import { READ_RATE_LIMIT } from "../../shared/lambda/read-api/admission";
import { QUERY_BUDGET_MS } from "../../shared/lambda/read-api/budget";
import { fieldLines } from "./fields";
import { QUESTIONS, type Question } from "./questions";

/**
 * The manifest for people and language models, after the convention of llmstxt.org: what can be asked, how, and how to read
 * the answers. Endpoints, parameters, fields, errors and limits are written from what the service itself goes by.
 * @param origin where the service is, or "" where that is not known
 */
export const describeForModels = (origin: string): string => {
  const sections: readonly (readonly string[])[] = [
    INTRODUCTION,
    ["## Documents", documents(origin)],
    ["## Authentication", AUTHENTICATION, callExample(origin)],
    ["## Parameters of every endpoint", parameterLines(SHARED_PARAMETERS).join("\n"), RANGE_RULES],
    ["## Answers", ANSWERS],
    ["## Endpoints", `All are \`GET\` and answer JSON with ${PERIOD_FIELDS} and the fields listed.`],
    ...OPERATIONS.map(endpointSection),
    ["## Figures to compute from the answers", DERIVED],
    ["## Names in rows", NAMES],
    ["## Questions and the calls that answer them", ...QUESTIONS.map((one) => questionLines(one, origin))],
    ["## Limits", LIMITS],
    ["## Errors", ERROR_BODY, errorLines([...READ_ERRORS, "NOT_FOUND", "METHOD_NOT_ALLOWED"])],
    ["## What it does not do", NOT],
  ];
  return `${sections.flat().join("\n\n")}\n`;
};

const INTRODUCTION = [
  "# Attribution Analytics API",
  "> Exact figures of a website for a range of days: visits, visitors, page views, leads, purchases and revenue, each credited to the traffic source and marketing channel behind it; pages, products, visitors and funnels. Read-only JSON over HTTPS. Counts and totals only, never people.",
  "A question is one GET request with the number of a site and a range of days. Unique visitors are exact over any range and time zone; they are counted, not added up from days.",
];

const documents = (origin: string) =>
  [
    `- [OpenAPI description](${origin}/api-docs/openapi.json): the same API for tools and clients (OpenAPI 3.1), and as the action schema of an AI assistant with Bearer authentication.`,
    `- [MCP server](${origin}/mcp): the same questions as tools of an AI assistant (POST, Model Context Protocol, streamable HTTP). It takes the AI-access key of Settings, Integrations, which is not an API key.`,
  ].join("\n");

const AUTHENTICATION =
  "Every request carries `Authorization: Bearer <API_KEY>`. Keys are made in the site's Settings, Integrations tab, API Keys, need the Unlimited plan, are shown once, and read the sites their creator may see. Keep them out of browsers: the API answers no cross-origin requests.";

const callExample = (origin: string) =>
  `\`\`\`\ncurl -H "Authorization: Bearer $API_KEY" "${origin}/v1/overview?site_id=1&period=last_30d&timezone=Europe/Berlin"\n\`\`\``;

const parameterLines = (parameters: Readonly<Record<string, DescribedParameter>>): string[] =>
  Object.entries(parameters).map(([name, { required, description, schema }]) => {
    const { type, format, enum: values, default: fallback, minimum, maximum } = schema;
    const traits = [
      Array.isArray(values) ? values.map((value) => `\`${value}\``).join(", ") : (format ?? type),
      ...(minimum !== undefined && maximum !== undefined ? [`${minimum} to ${maximum}`] : []),
      required ? "required" : "optional",
      ...(fallback === undefined ? [] : [`default \`${fallback}\``]),
    ];
    return `- \`${name}\` (${traits.join("; ")}): ${description}`;
  });

const RANGE_RULES = [
  `- \`period\` wins over \`from\` and \`to\`. With none of them the range is \`${DEFAULT_PERIOD}\`.`,
  "- `from` and `to` go together, both days included.",
  "- Any other parameter (`start_date`, `end_date`, ...) changes nothing and is no error: the range is then the default one. Look at `period` of the answer for the range that was used.",
  "- A parameter that is sent empty, or twice, is an error and not left out; `limit` alone then takes its default.",
].join("\n");

const ANSWERS = [
  "- `period` of every answer says which days were used (`from`, `to`, both included) and in which `timezone`.",
  "- Money is in decimal dollars, never cents, with 2 decimals; amounts count at face value in the currency they came with. Percentages have 2 decimals: 4.17 is 4.17 %. A ratio of nothing is 0.",
  "- Rows by source of counts and money sum to the totals. Rows of distinct visitors do not: who came from two sources is in the row of each and once in the total.",
  "- Visitors of several ranges must not be added either: ask for the whole range.",
  `- An answer may be up to ${READ_RATE_LIMIT.windowMs / SECOND} seconds old (header \`X-Cache: HIT\`). The request header \`Cache-Control: no-cache\` reads afresh: a conversion is then in the figures as soon as it was accepted, a page view within 5 seconds.`,
].join("\n");

const PERIOD_FIELDS = "`period.from`, `period.to`, `period.timezone`";

const endpointSection = ({
  name,
  summary,
  description,
  response,
  parameters = {},
}: AnyOperation): string[] => [
  `### GET /v1/${name}`,
  `${summary}. ${description}`,
  [
    ...parameterLines(parameters),
    ...fieldLines(response).filter((line) => !line.startsWith("- `period.")),
  ].join("\n"),
];

const DERIVED = [
  "- Revenue per visit of a source: `revenue` / `sessions` of its row in `/v1/overview`, the only endpoint with visits by source.",
  "- Visits per lead of a source: `sessions` / `leads` of its row in `/v1/overview`. Leads per visit: the inverse.",
  "- Visit-to-purchase rate of a source: `conversion_rate_pct` of its row in `/v1/revenue` (purchases / visits * 100). It is not leads-to-purchase.",
  "- Leads-to-purchase rate: `totals.purchases` of `/v1/revenue` / `totals.leads` of `/v1/leads` * 100, for the same range.",
  "- Pages per visit: `totals.pageviews` / `totals.sessions` of `/v1/overview`.",
  "- Share of returning visitors: `totals.returning_visitors` / `totals.unique_visitors` * 100 of `/v1/users`.",
  "- By channel instead of by source: add the rows with the same `channel` (counts and money; not visitors, not rates).",
  "- Against the range before: there is no parameter for it. Call twice with explicit `from` and `to`, as many days long, in the same `timezone`.",
  "- More than 366 days: call for each year; add counts and money, never visitors.",
].join("\n");

const NAMES = [
  "- source `(none)`, channel `Unattributed`: conversions that no visit could be found for. It has 0 sessions.",
  "- source `(direct)`, channel `Direct`: visits that no link, campaign or search brought.",
  "- `(other)`, as a source, page, product or country: rows too small to be kept by themselves on a day with thousands of them, added up. Totals stay exact.",
  "- country `(unknown)`: the visitor's address told none.",
].join("\n");

const questionLines = ({ asked, calls, answer }: Question, origin: string): string =>
  [`**${asked}**`, ...calls.map((call) => `- GET ${origin}${call}`), `- ${answer}`].join("\n");

const LIMITS = [
  `- ${READ_RATE_LIMIT.capacity} requests of one key in any ${READ_RATE_LIMIT.windowMs / SECOND} seconds; kept answers count too. \`RateLimit-Remaining\` says how many are left; after a 429 wait for \`Retry-After\` seconds.`,
  `- ${MAX_DAYS} days a range, both ends included.`,
  `- ${QUERY_BUDGET_MS / SECOND} seconds a query.`,
  "- `GET` only.",
].join("\n");

const ERROR_BODY =
  'Every error is JSON: `{"error": "what to do, for people", "code": "FOR_PROGRAMS"}`. Where several apply, the first of this list is answered.';

const errorLines = (codes: readonly ErrorCode[]): string =>
  codes.map((code) => `- ${ERRORS[code][0]} \`${code}\`: ${ERRORS[code][1]}`).join("\n");

const NOT = [
  "- No people: no names, e-mail addresses, visitor ids or lists of orders. Aggregates only.",
  "- No writing: nothing is recorded, changed or deleted through it. Conversions come in by webhooks; sites, keys and funnels are managed in the dashboard.",
  "- No ad costs, no hours, no real-time stream, no figures across sites: one site a question.",
].join("\n");
