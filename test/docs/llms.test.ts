import { describeForModels } from "../../functions/docs/llms";
import { ERRORS } from "../../shared/domain/errors";
import { READ_ERRORS } from "../../shared/domain/read-api/failures";
import { OPERATIONS } from "../../shared/domain/read-api/operations";
import { readSiteId } from "../../shared/domain/read-api/parameters";
import { readRange } from "../../shared/domain/read-api/range";
import { SHARED_PARAMETERS } from "../../shared/domain/read-api/shared-parameters";
import { NOW } from "../read-api/support";

const ORIGIN = "https://api.shop.test";
const text = describeForModels(ORIGIN);
const lines = text.split("\n");

test("it has the form of llmstxt.org: a title, a summary in a quote, sections, links", () => {
  expect(lines[0]).toMatch(/^# \S/);
  expect(lines[2]).toMatch(/^> \S/);
  expect(lines.filter((line) => line.startsWith("# "))).toHaveLength(1);
  expect(text).toMatch(
    /^- \[OpenAPI description\]\(https:\/\/api\.shop\.test\/api-docs\/openapi\.json\): \S/m,
  );
  expect(text).not.toMatch(/undefined|\[object|NaN|\n\n\n/);
});

test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
  "GET /v1/%s has a section with its parameters and every field of its answer",
  (name, { example, parameters = {} }) => {
    const [, section = ""] = text.split(`### GET /v1/${name}\n`);
    const own = section.split("\n#")[0] ?? "";
    for (const parameter of Object.keys(parameters)) expect(own).toContain(`- \`${parameter}\` (`);
    const { period, ...figures } = example;
    for (const path of pathsOf(figures)) expect(own).toContain(`- \`${path}\` (`);
  },
);

test("every shared parameter, every error of the table and every limit is in it", () => {
  for (const name of Object.keys(SHARED_PARAMETERS)) expect(text).toContain(`- \`${name}\` (`);
  for (const code of READ_ERRORS)
    expect(lines).toContain(`- ${ERRORS[code][0]} \`${code}\`: ${ERRORS[code][1]}`);
  for (const limit of ["200 requests", "60 seconds", "366 days", "10 seconds", "1 to 100"])
    expect(text).toContain(limit);
});

const calls = text.match(/https:\/\/api\.shop\.test\/v1\/[^\s"]+/g) ?? [];

test("every operation is in an example", () => {
  expect(new Set(calls.map((call) => new URL(call).pathname))).toEqual(
    new Set(OPERATIONS.map(({ name }) => `/v1/${name}`)),
  );
});

test.each(calls)("%s is a call that the API takes", (call) => {
  const { pathname, searchParams } = new URL(call);
  const operation = OPERATIONS.find(({ name }) => pathname === `/v1/${name}`);
  const known = [...Object.keys(SHARED_PARAMETERS), ...Object.keys(operation?.parameters ?? {})];
  expect(known).toEqual(expect.arrayContaining([...searchParams.keys()]));
  expect(readSiteId(searchParams)).toBe(1);
  expect(() => readRange(searchParams, NOW)).not.toThrow();
});

/** `totals.leads`, `by_source[].source`, ... of an example. */
function pathsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return pathsOf(value[0], `${path}[]`);
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, one]) => pathsOf(one, path ? `${path}.${name}` : name));
}
