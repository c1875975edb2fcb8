import * as z from "zod";
import { describeReadApi } from "../../functions/docs/openapi";
import { describeApi } from "../../functions/manage/openapi";
import { ROUTES } from "../../functions/manage/routes";
import { FUNCTIONS, type FunctionSpec } from "../../infra/manifest";
import { parseDate } from "../../shared/domain/read-api/calendar-date";
import { OPERATIONS } from "../../shared/domain/read-api/operations";
import { EXAMPLE_PERIOD } from "../../shared/domain/read-api/period";
import { operationsOf, problemsOf } from "./support";

const ORIGIN = "https://api.shop.test";
const description = describeReadApi(ORIGIN);
const operations = operationsOf(description);

describe("the linters", () => {
  test.each([
    ["the read API", description],
    ["the read API on this machine", describeReadApi("http://localhost:8787")],
    ["the management API", describeApi(ROUTES)],
  ])("find nothing wrong with the description of %s", async (_, described) => {
    expect(await problemsOf(described)).toEqual([]);
  });

  test("find a wrong example, a missing reference and a wrong form", async () => {
    const wrong = structuredClone(description) as unknown as {
      paths: Record<string, { get: { responses: Record<string, unknown>; operationId: unknown } }>;
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
    };
    const { get } = wrong.paths["/v1/leads"] ?? { get: { responses: {}, operationId: "" } };
    get.operationId = 5;
    get.responses[418] = { $ref: "#/components/responses/Teapot" };
    if (wrong.components.schemas.Overview)
      wrong.components.schemas.Overview.properties.totals = { type: "string" };
    const problems = (await problemsOf(wrong)).join("\n");
    for (const sign of ["no-invalid-media-type-examples", "no-unresolved-refs", "schema: "])
      expect(problems).toContain(sign);
  });
});

test("every path is a route of the service behind the API key, and every such route of /v1 a path", () => {
  const specs: FunctionSpec[] = Object.values(FUNCTIONS);
  const reads = specs
    .filter(({ authorized }) => authorized)
    .flatMap(({ routes = [] }) => routes)
    .filter((route) => route.includes(" /v1/"));
  expect(operations.map(({ route }) => route).sort()).toEqual(reads.sort());
});

describe("an AI assistant takes it as its action schema", () => {
  const text = z.object({ summary: z.string().max(300), description: z.string().max(300) });
  test.each(operations.map((operation) => [operation.route, operation] as const))(
    "%s says what it does in 300 characters",
    (_, operation) => {
      expect(text.safeParse(operation).error).toBeUndefined();
    },
  );

  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    "GET /v1/%s has its parameters in it, each said in 700 characters",
    (name, { parameters = {} }) => {
      const operation = operations.find(({ route }) => route === `GET /v1/${name}`);
      const described = z
        .object({
          parameters: z.array(z.object({ name: z.string(), description: z.string().min(20).max(700) })),
        })
        .parse(operation).parameters;
      expect(described.map((one) => one.name)).toEqual([
        ...["site_id", "period", "from", "to", "timezone"],
        ...Object.keys(parameters),
        "Cache-Control",
      ]);
    },
  );

  test("it names the origin that it was asked for, and no address that means nothing elsewhere", () => {
    const servers = (origin: string) => describeReadApi(origin).servers;
    expect(servers(ORIGIN)).toEqual([{ url: ORIGIN }]);
    for (const origin of ["http://localhost:8787", "http://127.0.0.1:8787", "http://[::1]:80", ""])
      expect(servers(origin)).toEqual([{ url: "/" }]);
  });

  test("a key in the header Authorization is all it needs", () => {
    expect(description.security).toEqual([{ apiKey: [] }]);
    expect(description.components.securitySchemes.apiKey).toMatchObject({ type: "http", scheme: "bearer" });
  });
});

describe("the schemas of answers", () => {
  const bodies = Object.entries(description.components.schemas);

  test.each(bodies)("%s describes every field, requires it and takes no other", (_, schema) => {
    for (const object of objectsIn(schema)) {
      const names = Object.keys(object.properties);
      expect(object.required?.toSorted()).toEqual(names.toSorted());
      expect(object.additionalProperties).toBe(false);
    }
    expect(undescribed(schema)).toEqual([]);
  });

  test("figures have the types of the contract", () => {
    const typesOf = (name: string): Record<string, unknown> =>
      Object.fromEntries(
        objectsIn(description.components.schemas[name]).flatMap(({ properties }) => typed(properties)),
      );
    expect(typesOf("Overview")).toMatchObject({ sessions: "integer", revenue: "number", source: "string" });
    expect(typesOf("Revenue")).toMatchObject({
      units: "integer",
      conversion_rate_pct: "number",
      date: "string",
    });
    expect(typesOf("Pages")).toMatchObject({
      avg_time_on_page_seconds: "number",
      unique_visitors: "integer",
    });
    expect(typesOf("Products")).toMatchObject({ units_sold: "integer", average_price: "number" });
    expect(typesOf("Users")).toMatchObject({ visitors: "integer", country: "string" });
    expect(typesOf("Funnels")).toMatchObject({ id: "integer", overall_conversion_pct: "number" });
  });
});

describe("the examples", () => {
  test.each(OPERATIONS.map((operation) => [operation.name, operation] as const))(
    "%s: leaves through its own schema unchanged",
    (_, { response, example }) => {
      expect(response.parse(example)).toEqual(example);
    },
  );

  const rows = z.array(z.record(z.string(), z.union([z.string(), z.number()])));
  const shown = z.object({
    totals: z.record(z.string(), z.number()),
    by_source: rows,
    by_day: rows.optional(),
  });
  test.each(["overview", "revenue", "leads"])("%s: rows sum to the totals", (name) => {
    const { totals, by_source, by_day = by_source } = shown.parse(exampleOf(name));
    for (const figure of ["sessions", "revenue", "leads", "purchases"].filter((one) => one in totals)) {
      expect(sum(by_source, figure)).toBe(totals[figure]);
      expect(sum(by_day, figure)).toBe(totals[figure]);
    }
  });

  test("agree with each other, as answers about one site and range do", () => {
    const totals = Object.assign({}, ...["overview", "revenue", "leads", "users"].map(totalsOf));
    for (const name of ["overview", "revenue", "leads", "users"])
      expect(totals).toMatchObject(totalsOf(name));
    expect(totals.new_visitors + totals.returning_visitors).toBe(totals.unique_visitors);
    expect(totals.average_order_value).toBeCloseTo(totals.revenue / totals.purchases, 2);
    const [products, bySource] = [z.object({ products: rows }), z.object({ by_source: rows })];
    expect(sum(products.parse(exampleOf("products")).products, "revenue")).toBe(
      sum(bySource.parse(exampleOf("products")).by_source, "revenue"),
    );
  });

  test("by day have every day of their range", () => {
    const { from, to } = EXAMPLE_PERIOD;
    const { by_day = [] } = shown.parse(exampleOf("revenue"));
    expect([by_day[0]?.date, by_day.at(-1)?.date]).toEqual([from, to]);
    expect(by_day).toHaveLength((parseDate(to) ?? 0) - (parseDate(from) ?? 0) + 1);
  });

  const sum = (some: z.infer<typeof rows>, figure: string) =>
    some.reduce((total, row) => total + Number(row[figure]), 0);
  const totalsOf = (name: string) =>
    z.object({ totals: z.record(z.string(), z.number()) }).parse(exampleOf(name)).totals;
});

const exampleOf = (name: string): unknown => OPERATIONS.find((operation) => operation.name === name)?.example;

interface ObjectSchema {
  readonly properties: Record<string, unknown>;
  readonly required?: string[];
  readonly additionalProperties?: unknown;
}

/** Every object in a schema, at any depth. */
function objectsIn(schema: unknown): ObjectSchema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inside = Object.values(schema).flatMap(objectsIn);
  return "properties" in schema && "type" in schema ? [schema as ObjectSchema, ...inside] : inside;
}

const undescribed = (schema: unknown): string[] =>
  objectsIn(schema).flatMap(({ properties }) =>
    Object.entries(properties)
      .filter(
        ([, one]) => !("$ref" in Object(one)) && !("properties" in Object(one)) && !Object(one).description,
      )
      .map(([name]) => name),
  );

const typed = (properties: Record<string, unknown>): [string, unknown][] =>
  Object.entries(properties).map(([name, one]) => [name, Object(one).type]);
