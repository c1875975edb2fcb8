import { PutCommand } from "@aws-sdk/lib-dynamodb";
import fc from "fast-check";
import { bucketAt } from "../../shared/domain/analytics/bucket";
import { OTHER } from "../../shared/domain/analytics/facets/figure-table";
import { type PagesCube, pageRows, pages as pagesFacet } from "../../shared/domain/analytics/facets/pages";
import type { Fact, TrafficFact, VisitFact } from "../../shared/domain/analytics/fact";
import { packedSet } from "../../shared/domain/analytics/visitor-set";
import { DAY, HOUR } from "../../shared/domain/instant";
import type { PagesBody } from "../../shared/domain/read-api/pages";
import { readRange } from "../../shared/domain/read-api/range";
import { httpFunction } from "../../shared/lambda/http";
import { readSources } from "../../shared/lambda/read-api/endpoint";
import { overview } from "../../shared/lambda/read-api/endpoints/overview";
import { pages } from "../../shared/lambda/read-api/endpoints/pages";
import type { LayoutSizes } from "../../shared/storage/analytics/cube-layout";
import { markerKey } from "../../shared/storage/analytics/fact-keys";
import type { Dynamo } from "../../shared/storage/dynamo";
import { metered } from "../bench/measure";
import { mulberry } from "../bench/random";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { siteFacts } from "../support/facts";
import { ask, type Handler, readApi } from "./support";

const FIRST = Date.UTC(2024, 1, 27); // the end of a leap year's February

let engine: Engine;
let sites = 100;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** The endpoints over the engine, at a time; `sizes` lay cubes out. */
function apiAt(now: number, { sizes = {} as Partial<LayoutSizes>, dynamo = engine.dynamo } = {}) {
  const core = analyticsOver(engine, dynamo, () => now, sizes);
  const { dependencies } = readApi({
    sites: { find: async (id) => ({ id, workspace: 1, domain: "shop.example", name: "Shop" }) },
    cache: { read: async () => null, write: async () => {} },
    clock: () => now,
  });
  const sources = readSources(core);
  return {
    core,
    overview: httpFunction(overview.handler(dependencies, sources)),
    pages: httpFunction(pages.handler(dependencies, sources)),
  };
}

async function rowsOf(handler: Handler, query: string): Promise<PagesBody["pages"]> {
  const answer = await ask(handler, query);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  return (answer.json() as PagesBody).pages;
}

// What follows counts raw facts the slow and obvious way.

type Row = PagesBody["pages"][number];

function naiveRows(facts: readonly Fact[], range: { start: number; end: number }): Row[] {
  const inRange = facts.filter((fact) => fact.at >= range.start && fact.at < range.end);
  const once = <F>(some: F[], id: (fact: F) => string): F[] => [
    ...new Map(some.map((fact) => [id(fact), fact])).values(),
  ];
  const visits = once(
    inRange.filter((fact) => fact.kind === "visit"),
    (fact) => fact.visit,
  );
  const views = once(
    inRange.filter((fact) => fact.kind === "pageview"),
    (fact) => `${fact.visit} ${fact.id}`,
  );
  const engaged = new Set(inRange.flatMap((fact) => (fact.kind === "engagement" ? [fact.visit] : [])));
  const timesOf = (path: string): number[] => {
    const longest = new Map<string, number>();
    for (const fact of inRange) {
      if (fact.kind !== "attention" || fact.path !== path) continue;
      const id = `${fact.visit} ${fact.id}`;
      longest.set(id, Math.max(longest.get(id) ?? 0, fact.visibleMs));
    }
    return [...longest.values()];
  };
  const share = (part: number, whole: number, factor: number) =>
    whole ? Math.round((part / whole) * factor) / 100 : 0;
  return [...new Set(views.map(({ path }) => path))]
    .map((path) => {
      const its = views.filter((fact) => fact.path === path);
      const entered = visits.filter((fact) => fact.path === path);
      const times = timesOf(path);
      return {
        path,
        pageviews: its.length,
        unique_visitors: new Set(its.map(({ visitor }) => visitor)).size,
        avg_time_on_page_seconds: share(
          times.reduce((sum, ms) => sum + ms, 0),
          times.length,
          1 / 10,
        ),
        bounce_rate_pct: share(
          entered.filter(({ visit }) => !engaged.has(visit)).length,
          entered.length,
          10_000,
        ),
      };
    })
    .sort((a, b) => b.pageviews - a.pageviews || (a.path < b.path ? -1 : 1));
}

/** What comes after a visit was seen: a conversion made it none of the bounces, a page reported more, or less, time. */
const aftermath = (facts: readonly Fact[]): fc.Arbitrary<TrafficFact[]> => {
  const visits = facts.filter((fact): fact is VisitFact => fact.kind === "visit");
  const attentions = facts.filter((fact) => fact.kind === "attention");
  return fc
    .tuple(fc.subarray(visits), fc.subarray(attentions), fc.integer({ min: -500, max: 60_000 }))
    .map(([engaged, again, more]) => [
      ...engaged.map(({ visit, at }): TrafficFact => ({ kind: "engagement", visit, at })),
      ...again.map((fact) => ({ ...fact, visibleMs: Math.max(0, fact.visibleMs + more) })),
    ]);
};
const story = siteFacts(FIRST, FIRST + 5 * DAY, 50).chain((facts) =>
  fc.record({ facts: fc.constant(facts), late: aftermath(facts) }),
);
const query = fc
  .record({
    timezone: fc.constantFrom("UTC", "Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Europe/Berlin"),
    first: fc.integer({ min: 0, max: 4 }),
    days: fc.integer({ min: 0, max: 40 }),
  })
  .map(({ timezone, first, days }) => {
    const date = (day: number) => new Date(FIRST + day * DAY).toISOString().slice(0, 10);
    return String(new URLSearchParams({ timezone, from: date(first), to: date(first + days) }));
  });

describe("GET /v1/pages", () => {
  it("answers what the raw facts say, over any range and zone, live, sealed, half sealed and late, however cubes are laid out", async () => {
    const layouts = fc.constantFrom<Partial<LayoutSizes>>(
      {},
      { maxInlineBodyBytes: 4, bodyPartBytes: 7 },
      { maxPartBytes: 60, maxInlineBodyBytes: 4, bodyPartBytes: 7 },
    );
    await fc.assert(
      fc.asyncProperty(
        story,
        fc.array(query, { minLength: 1, maxLength: 3 }),
        layouts,
        async ({ facts, late }, queries, sizes) => {
          const site = ++sites;
          const log = (facts: readonly Fact[], now: number) =>
            apiAt(now).core.log.append(
              site,
              facts.filter((fact): fact is TrafficFact => fact.kind !== "conversion"),
            );
          const check = async (known: readonly Fact[], now: number) => {
            const api = apiAt(now, { sizes });
            for (const query of queries) {
              const range = readRange(new URLSearchParams(query), now);
              expect(await rowsOf(api.pages, `site_id=${site}&limit=100&${query}`)).toEqual(
                naiveRows(known, range).slice(0, 100),
              );
            }
          };
          const half = FIRST + 2 * DAY + 5 * HOUR;
          const early = facts.filter(({ at }) => at <= half);
          await log(early, half);
          await check(early, half);
          await apiAt(half, { sizes }).core.sealAll(site);
          await check(early, half);
          const end = FIRST + 60 * DAY;
          const known = [...facts, ...late];
          await log([...facts.filter(({ at }) => at > half), ...late], end);
          await check(known, end);
          await apiAt(end, { sizes }).core.sealAll(site);
          await check(known, end);
        },
      ),
      { numRuns: 20 },
    );
  }, 120_000);

  it("answers 25 rows unless told, 1 to 100 as told, the pages with most page views first, equal ones by path", async () => {
    const site = ++sites;
    const api = apiAt(FIRST + HOUR);
    const path = (i: number) => `/p/${String(i % 130).padStart(3, "0")}`;
    await api.core.log.append(
      site,
      Array.from({ length: 131 }, (_, i) => view({ i, path: path(i) })),
    );
    const period = "period=today";
    const first = await rowsOf(api.pages, `site_id=${site}&${period}`);
    expect(first.map((row) => row.path)).toEqual(Array.from({ length: 25 }, (_, i) => path(i)));
    expect(first.slice(0, 2).map((row) => row.pageviews)).toEqual([2, 1]);
    for (const [limit, rows] of [
      ["1", 1],
      ["0", 1],
      ["-7", 1],
      ["100", 100],
      ["101", 100],
      ["2.5", 25],
      ["many", 25],
      ["", 25],
    ] as const) {
      expect(await rowsOf(api.pages, `site_id=${site}&${period}&limit=${limit}`)).toHaveLength(rows);
    }
  });

  it("shows no page that was only entered or looked at, not viewed, in the range", async () => {
    const site = ++sites;
    const api = apiAt(FIRST + HOUR);
    await api.core.log.append(site, [{ ...view({ i: 1, path: "/landing" }), kind: "visit", isFirst: true }]);
    expect(await rowsOf(api.pages, `site_id=${site}&period=today`)).toEqual([]);
  });
});

describe("100,000 distinct paths in a day", () => {
  const VIEWS = 100_000;
  const longPath = (i: number) => `/${i.toString(36)}/${"%D1%8F".repeat(48)}/${i}`.padEnd(300, "x");

  it("break no limit, slow no other answer, and leave totals and visitors exact", async () => {
    const site = ++sites;
    const quiet = ++sites;
    const now = FIRST + 2 * DAY;
    const meter = metered(engine.dynamo);
    const api = apiAt(now, { dynamo: meter.dynamo });
    const views = (path: (i: number) => string) =>
      Array.from({ length: VIEWS }, (_, i) => {
        const known = i % 100 === 0;
        const at = FIRST + Math.floor((i / VIEWS) * DAY);
        return view({ i, at, visitor: 1 + (i % 30_000), path: known ? "/pricing" : path(i) });
      });
    for (const [id, facts] of [
      [site, views(longPath)],
      [quiet, views(() => "/home")],
    ] as const) {
      for (let i = 0; i < VIEWS; i += 5_000) await api.core.log.append(id, facts.slice(i, i + 5_000));
      await api.core.sealAll(id);
    }
    expect(await api.core.markers.list(site)).toEqual([
      expect.objectContaining({ bucket: bucketAt("month", FIRST) }),
    ]);

    const day = "from=2024-02-27&to=2024-02-27";
    const costOf = async (handler: Handler, id: number, own = "") => {
      meter.reset();
      const answer = await ask(handler, `site_id=${id}&${day}${own}`);
      return { body: answer.json(), units: meter.consumption().readUnits };
    };
    const [hit, spared] = [await costOf(api.overview, site), await costOf(api.overview, quiet)];
    expect(hit.units).toBe(spared.units);
    expect(hit.body).toEqual(spared.body);

    const { body, units } = await costOf(api.pages, site, "&limit=2");
    const [first, second] = (body as PagesBody).pages;
    expect([first?.path, second?.path]).toEqual([OTHER, "/pricing"]);
    expect([second?.pageviews, second?.unique_visitors]).toEqual([1_000, 300]);
    const stored = await api.core.cubes.read(site, "pages", { level: "day", from: FIRST, to: FIRST + DAY });
    const cube = pagesFacet.decode(stored[0]?.bytes ?? new Uint8Array());
    expect(cube.rows.total("pageviews")).toBe(VIEWS);
    const shown = new Set(cube.visitors.keys());
    const others = Array.from({ length: VIEWS }, (_, i) => i).filter(
      (i) => i % 100 !== 0 && !shown.has(longPath(i)),
    );
    expect(first?.pageviews).toBe(others.length);
    expect(first?.unique_visitors).toBe(new Set(others.map((i) => i % 30_000)).size);
    expect(units).toBeLessThan(300);
  }, 240_000);
});

describe("a year", () => {
  /** Cubes of months and days with 500 pages, whose sets are as large as those of a busy site. */
  async function busyYear(): Promise<{ site: number; bytes: number }> {
    const site = ++sites;
    const store = apiAt(YEAR_END).core.cubes;
    const random = mulberry(1);
    let bytes = 0;
    for (let month = 0; month < 12; month++) {
      const bucket = bucketAt("month", Date.UTC(2023, month, 1));
      const rows = pageRows();
      const visitors: [string, Uint8Array][] = [];
      for (let page = 0; page < 500; page++) {
        const path = `/p/${page}`;
        rows.at([path]).pageviews = 1_000 - page;
        const viewers = Array.from({ length: 300 }, () => Math.floor(random() * 1_000_000));
        visitors.push([path, packedSet(viewers)]);
      }
      const cube: PagesCube = { rows, visitors: new Map(visitors) };
      const encoded = pagesFacet.encode(cube);
      bytes += encoded.length;
      await engine.dynamo.send(
        new PutCommand({ TableName: engine.tables.Facts, Item: { ...markerKey(site, bucket), nonce: "n" } }),
      );
      const head = pagesFacet.headOf?.(encoded);
      await store.seal(
        site,
        [{ bucket, nonce: "n", cubes: [{ facet: "pages", bytes: encoded, head }] }],
        0,
        YEAR_END,
      );
    }
    return { site, bytes };
  }
  const YEAR_END = Date.UTC(2024, 0, 2);
  const query = (site: number, limit: number) =>
    `site_id=${site}&from=2023-01-01&to=2023-12-31&limit=${limit}`;

  it("is answered from the sets of the rows returned, in steps one after the other: markers, heads, sets", async () => {
    const { site, bytes } = await busyYear();
    const meter = metered(engine.dynamo);
    const api = apiAt(YEAR_END, { dynamo: meter.dynamo });
    const unitsOf = async (limit: number) => {
      meter.reset();
      const rows = await rowsOf(api.pages, query(site, limit));
      expect(rows.map(({ pageviews }) => pageviews)).toEqual(
        Array.from({ length: limit }, (_, i) => 12 * (1_000 - i)),
      );
      expect(meter.consumption().roundTrips).toBe(3);
      return meter.consumption().readUnits;
    };
    const whole = bytes / 4_096;
    const [few, many] = [await unitsOf(1), await unitsOf(100)];
    expect(few).toBeLessThan(whole / 4);
    expect(many).toBeLessThan(whole / 2);
  });

  it("of which a cube is replaced and swept between head and slices is read again, and right", async () => {
    const { site } = await busyYear();
    let replaced = false;
    const dynamo = new Proxy(engine.dynamo, {
      get: (target, name) =>
        name !== "send"
          ? Reflect.get(target, name)
          : async (request: object, options: unknown) => {
              if (request.constructor.name === "BatchGetCommand" && !replaced) {
                replaced = true;
                await replaceMonth(site);
              }
              return (target.send as (...args: unknown[]) => Promise<unknown>)(request, options);
            },
    }) as Dynamo;
    const [first] = await rowsOf(apiAt(YEAR_END, { dynamo }).pages, query(site, 1));
    expect(replaced).toBe(true);
    expect(first).toMatchObject({ path: "/p/0", pageviews: 12 * 1_000 + 5 });
  });

  /** Seals one month anew, 5 page views more on its first page, two hours later: what was there is swept. */
  async function replaceMonth(site: number): Promise<void> {
    const { core } = apiAt(YEAR_END);
    const bucket = bucketAt("month", Date.UTC(2023, 4, 1));
    const run = { level: "month", from: bucket.start, to: bucket.start + DAY } as const;
    const [found] = await core.cubes.read(site, "pages", run);
    const cube = pagesFacet.decode(found?.bytes ?? new Uint8Array());
    cube.rows.at(["/p/0"]).pageviews += 5;
    const bytes = pagesFacet.encode(cube);
    await engine.dynamo.send(
      new PutCommand({ TableName: engine.tables.Facts, Item: { ...markerKey(site, bucket), nonce: "n" } }),
    );
    const head = pagesFacet.headOf?.(bytes);
    const sealed = [{ bucket, nonce: "n", cubes: [{ facet: "pages", bytes, head }] }];
    expect(await core.cubes.seal(site, sealed, 0, YEAR_END + 2 * HOUR)).toBe(true);
  }
});

interface View {
  readonly i: number;
  readonly path: string;
  readonly at?: number;
  readonly visitor?: number;
}

const view = ({ i, path, at = FIRST, visitor = i + 1 }: View) => ({
  ...({ kind: "pageview", id: "1", visit: `v${i}` } as const),
  ...{ source: "google", channel: "Organic Search", country: "DE" },
  at,
  path,
  visitor,
});
