import fc from "fast-check";
import * as z from "zod";
import { describeReadApi } from "../../functions/docs/openapi";
import type { Refusal } from "../../shared/domain/access/principal";
import type { ErrorCode } from "../../shared/domain/errors";
import { READ_ERRORS } from "../../shared/domain/read-api/failures";
import { type Answer, ask, codeOf, event, granted, REFUSED, readApi, send } from "../read-api/support";

const responseSchema = z.object({
  headers: z.record(z.string(), z.object({ $ref: z.string() })),
  content: z.object({
    "application/json": z.object({
      examples: z.record(
        z.string(),
        z.object({ value: z.strictObject({ error: z.string(), code: z.string() }) }),
      ),
    }),
  }),
});

const { paths, components } = describeReadApi("");

/** What the description says of the errors of an operation: by status the codes, and the headers that always come. */
function described(path: string) {
  const { get } = z
    .object({
      get: z.object({ responses: z.record(z.string(), z.looseObject({ $ref: z.string().optional() })) }),
    })
    .parse(paths[path]);
  return Object.entries(get.responses).flatMap(([status, { $ref = "" }]) => {
    const name = $ref.split("/").at(-1) ?? "";
    if (!Object.hasOwn(components.responses, name)) return [];
    const { headers, content } = responseSchema.parse(components.responses[name]);
    const codes = Object.keys(content["application/json"].examples);
    return [{ status: Number(status), codes, headers: Object.keys(headers), content }];
  });
}

const overview = described("/v1/overview");
const responseOf = (status: number | undefined) => overview.find((one) => one.status === status);

const refused = (refusal: Refusal) => ask(readApi().endpoint(), "site_id=12", { verdict: { refusal } });
const asking = (query: string) => ask(readApi().endpoint(), query);

/** How to be answered with each. */
const PROVOCATIONS: Record<(typeof READ_ERRORS)[number], () => Promise<Answer>> = {
  AUTH_REQUIRED: () => refused("AUTH_REQUIRED"),
  INVALID_API_KEY: () => refused("INVALID_API_KEY"),
  TIER_NO_API_ACCESS: () => refused("TIER_NO_API_ACCESS"),
  RATE_LIMITED: () => {
    const { world, endpoint } = readApi();
    world.admission = REFUSED;
    return ask(endpoint());
  },
  MISSING_SITE_ID: () => asking(""),
  BAD_SITE_ID: () => asking("site_id=x"),
  SITE_ACCESS_DENIED: () => asking("site_id=99"),
  BAD_PERIOD: () => asking("site_id=12&period=ever"),
  BAD_DATE_FORMAT: () => asking("site_id=12&from=2026-11-01"),
  INVERTED_RANGE: () => asking("site_id=12&from=2026-11-02&to=2026-11-01"),
  RANGE_TOO_WIDE: () => asking("site_id=12&from=2025-01-01&to=2026-11-01"),
  BAD_TIMEZONE: () => asking("site_id=12&timezone=Moon"),
  QUERY_TIMEOUT: () => ask(readApi({ queryBudgetMs: 1 }).endpoint({ query: () => new Promise(() => {}) })),
  INTERNAL: () => send(readApi().endpoint(), event("site_id=12")),
};

test("the same errors are described for every operation, and they are those of the read API", () => {
  for (const path of Object.keys(paths)) {
    expect(
      described(path)
        .flatMap(({ codes }) => codes)
        .sort(),
    ).toEqual([...READ_ERRORS].sort());
  }
});

test.each(Object.entries(PROVOCATIONS))(
  "%s is answered as it is described: status, body and headers",
  async (code, provoke) => {
    const answer = await provoke();
    const response = responseOf(answer.status);
    expect(codeOf(answer)).toBe(code);
    expect(answer.json()).toEqual(response?.content["application/json"].examples[code]?.value);
    const known = new Set(response?.headers.map((name) => name.toLowerCase()));
    const own = Object.keys(answer.headers).filter((name) => !EVERYWHERE.has(name));
    expect(own.filter((name) => !known.has(name))).toEqual([]);
    const required = response?.headers.filter((name) => isRequired(name)) ?? [];
    for (const name of required) expect(answer.headers).toHaveProperty(name.toLowerCase());
  },
);

test("whatever is asked, no answer is but a described one", async () => {
  const odd = fc.constantFrom(
    "",
    "0",
    "12",
    "99",
    "today",
    "2026-11-01",
    "2026-02-30",
    "UTC",
    "Asia/Kathmandu",
    "%00",
  );
  const value = fc.oneof(odd, fc.string({ unit: "binary", maxLength: 40 }));
  const names = ["site_id", "period", "from", "to", "timezone", "limit", "start_date", "__proto__"];
  const query = fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(query, fc.boolean(), async (pairs, withSite) => {
      const search = new URLSearchParams([
        ...(withSite ? [["site_id", "12"] satisfies [string, string]] : []),
        ...pairs,
      ]);
      const answer = await ask(readApi().endpoint(), String(search), { verdict: granted() });
      if (answer.status === 200) return;
      expect(responseOf(answer.status)?.codes).toContain(codeOf(answer) as ErrorCode);
    }),
    { numRuns: 300 },
  );
});

/** Headers that no description of an API lists. */
const EVERYWHERE = new Set(["content-type", "cache-control", "x-content-type-options", "vary"]);

const isRequired = (name: string): boolean =>
  z.record(z.string(), z.looseObject({ required: z.boolean().optional() })).parse(components.headers)[name]
    ?.required ?? false;
