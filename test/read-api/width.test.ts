import { FACETS } from "../../shared/domain/analytics/facets";
import { products as productsFacet } from "../../shared/domain/analytics/facets/products";
import type { ConversionFact, ProductLine, TrafficFact } from "../../shared/domain/analytics/fact";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import { DAY, MINUTE } from "../../shared/domain/instant";
import { productsBody } from "../../shared/domain/read-api/products";
import { transact } from "../../shared/storage/transact";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { expectAgreement } from "./agreement";
import { askAll, type Bodies } from "./ask-all";

const FIRST = Date.UTC(2024, 1, 27);
const DATE = "2024-02-27";
const WIDTH = 100_000;
const PURCHASES = WIDTH / 100;
/** What a function may answer; the headers take less than the thousands left out. */
const RESULT_BYTES = 6_000_000;

let engine: Engine;
let sites = 0;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const coreAt = (now: number) => analyticsOver(engine, engine.dynamo, () => now);
const WRITTEN = FIRST + 2 * DAY;
const SEALED = Date.UTC(2024, 2, 2);

/** What of a site is as wide as can be; the rest is the same for every visit and purchase. */
interface Wide {
  readonly over: number;
  readonly source?: (i: number) => string;
  readonly country?: (i: number) => string;
  readonly path?: (i: number) => string;
  readonly product?: (i: number) => Pick<ProductLine, "sku" | "name">;
  /** Lines of a purchase. */
  readonly lines?: number;
}

/** One in a hundred is from somewhere known, which must show among all the others. */
const mostly =
  <Value>(other: ((i: number) => Value) | undefined, known: Value) =>
  (i: number): Value =>
    i % 100 === 0 || !other ? known : other(i);
const channel = (i: number): string => (i % 1_000 < 300 ? "Email" : "Referral");

function* visitsOf({ over, ...wide }: Wide): Generator<TrafficFact> {
  const source = mostly(wide.source, "google");
  const country = mostly(wide.country, "DE");
  const path = mostly(wide.path, "/");
  for (let i = 0; i < WIDTH; i++) {
    const context = {
      visit: `v${i}`,
      visitor: i + 1,
      source: source(i),
      channel: channel(i),
      country: country(i),
    };
    const at = FIRST + Math.floor((i / WIDTH) * over);
    yield { kind: "visit", ...context, at, path: path(i), isFirst: true };
    yield { kind: "pageview", ...context, at, id: "p", path: path(i) };
  }
}

/** Purchases by every hundredth visitor and the one after: one from the known source, one from another. */
function* purchasesOf({ over, source, product, lines = 1 }: Wide): Generator<ConversionFact> {
  for (let i = 0; i < PURCHASES; i++) {
    const visit = 100 * i + (i % 2);
    yield {
      ...{ kind: "conversion", type: "Purchase", name: "Purchase", version: 1, id: `evt_${i}` },
      ...{ at: FIRST + Math.floor((visit / WIDTH) * over), visitor: visit + 1 },
      ...{ source: mostly(source, "google")(visit), channel: channel(visit), value: 10_000 + 10 * i },
      products: Array.from({ length: lines }, (_, n) => ({
        ...mostly(product, { sku: "mug", name: "Mug" })(100 * i + n),
        ...{ units: 1 + (n % 3), revenue: 1_000 + 10 * n },
      })),
    };
  }
}

function* inBatches<T>(things: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const thing of things) {
    if (batch.push(thing) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Writes and seals a site, and asks every endpoint for its day. */
async function askSite(wide: Wide) {
  const site = ++sites;
  const { log } = coreAt(WRITTEN);
  for (const some of inBatches(visitsOf(wide), 10_000)) await log.append(site, some);
  for (const some of inBatches(purchasesOf(wide), 20))
    await transact(engine.dynamo, await log.conversionWrites(site, some));
  const core = coreAt(SEALED);
  await core.sealAll(site);
  expect(await core.markers.list(site)).toEqual([]); // quarters, day and month are sealed, whatever their size
  const bodies = await askAll(core, SEALED)(site, { from: DATE, to: DATE });
  expectAgreement(bodies);
  for (const body of Object.values(bodies)) expect(resultBytes(body)).toBeLessThan(RESULT_BYTES);
  const cube = async (facet: string) => {
    const [found] = await core.cubes.read(site, facet, { level: "day", from: FIRST, to: FIRST + DAY });
    return found && Buffer.from(found.bytes);
  };
  return {
    bodies,
    cubes: new Map(await Promise.all(FACETS.map(async ({ name }) => [name, await cube(name)] as const))),
  };
}

/** Of a body that is sent as it is: text within the JSON that the function's result is. */
const resultBytes = (body: unknown): number => Buffer.byteLength(JSON.stringify(JSON.stringify(body)));

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const byChannel = (rows: readonly { channel: string; sessions: number; purchases: number }[]) =>
  Object.fromEntries(
    [...Map.groupBy(rows, (row) => row.channel)].map(([channel, some]) => [
      channel,
      [sum(some.map((row) => row.sessions)), sum(some.map((row) => row.purchases))],
    ]),
  );
const totalsOf = ({ overview, revenue, leads, users }: Bodies) => [
  ...[overview, revenue, leads, users].map(({ totals }) => totals),
  byChannel(overview.by_source),
];
/** A row as the same site without the width has it in one of its own. */
const rowOf = <Row extends { source: string }>(rows: readonly Row[], source: string): Row[] =>
  rows.filter((row) => row.source === source);

const long = (i: number): string => `${i.toString(36)}-${"ж".repeat(85)}-${i}`;
/** Of no characters but those that take most bytes: each is escaped twice in a function's result. */
const longest = (i: number): string => i.toString(36).padStart(200, '\\"');

describe("a day of 100,000 visits", () => {
  let quiet: Awaited<ReturnType<typeof askSite>>;
  beforeAll(async () => {
    quiet = await askSite({ over: DAY });
  }, 120_000);

  it("from 100,000 sources, each visitor another pair with a country, leaves everything else as it is", async () => {
    const { bodies, cubes } = await askSite({ over: DAY, source: long, country: (i) => `C${i}` });
    expect(totalsOf(bodies)).toEqual(totalsOf(quiet.bodies));
    expect([bodies.pages, bodies.leads]).toEqual([quiet.bodies.pages, quiet.bodies.leads]);
    expect(bodies.products.products).toEqual(quiet.bodies.products.products);
    expect(bodies.revenue.by_product).toEqual(quiet.bodies.revenue.by_product);
    expect(bodies.revenue.by_day).toEqual(quiet.bodies.revenue.by_day);
    expect(cubes.get("pages")).toEqual(quiet.cubes.get("pages"));

    const known = rowOf(bodies.overview.by_source, "google");
    expect(sum(known.map(({ sessions }) => sessions))).toBe(WIDTH / 100);
    expect(sum(known.map(({ purchases }) => purchases))).toBe(PURCHASES / 2);
    expect(sum(bodies.users.by_source.map(({ visitors }) => visitors))).toBe(WIDTH);
    expect(sum(bodies.users.by_country.map(({ visitors }) => visitors))).toBe(WIDTH);
    expect(bodies.users.by_country).toContainEqual({ country: "DE", visitors: WIDTH / 100 });
    expect(bodies.overview.by_source.length).toBeLessThan(4_100);
  }, 120_000);

  it("and 100,000 products leaves everything else as it is, and the totals of products", async () => {
    const product = (i: number) => ({ sku: longest(i), name: longest(i) });
    const { bodies, cubes } = await askSite({ over: DAY, product, lines: 100 });
    const { overview, leads, pages, users, funnels } = quiet.bodies;
    expect(bodies).toMatchObject({ overview, leads, pages, users, funnels });
    expect(bodies.revenue).toMatchObject({
      totals: quiet.bodies.revenue.totals,
      by_source: quiet.bodies.revenue.by_source,
      by_day: quiet.bodies.revenue.by_day,
    });
    for (const facet of ["traffic", "pages", "users"])
      expect(cubes.get(facet)).toEqual(quiet.cubes.get(facet));
    const units = Array.from({ length: 100 }, (_, n) => 1 + (n % 3));
    expect(sum(bodies.products.products.map((row) => row.units_sold))).toBe(PURCHASES * sum(units));
    expect(bodies.products.products).toContainEqual({
      ...{ sku: "mug", product_name: "Mug", units_sold: PURCHASES, revenue: PURCHASES, average_price: 1 },
    });
    expect(bodies.products.by_source.map(({ source }) => source)).toEqual(["google", "google"]);
  }, 120_000);

  it("all in one quarter hour, from 100,000 sources and countries to 100,000 paths and products, is sealed and right", async () => {
    const product = (i: number) => ({ sku: longest(i), name: long(i) });
    const path = (i: number) => `/${long(i)}`;
    const { bodies } = await askSite({
      ...{ over: 15 * MINUTE, source: long, country: (i) => `C${i}`, path, product, lines: 100 },
    });
    expect(totalsOf(bodies)).toEqual(totalsOf(quiet.bodies));
    expect(bodies.revenue.by_day).toEqual(quiet.bodies.revenue.by_day);
    const [other, known] = bodies.pages.pages;
    expect(other?.path).toBe("(other)"); // and each level of cubes may fold one row more into it
    expect(Math.abs((other?.pageviews ?? 0) - (WIDTH - WIDTH / 100 - 1_999))).toBeLessThan(3);
    expect(known).toMatchObject({ path: "/", pageviews: WIDTH / 100, unique_visitors: WIDTH / 100 });
  }, 120_000);
});

describe("a shop of 50 sources and 1,000 products", () => {
  it("has every product and source in its figures, and the top product of each source, whatever sells elsewhere", () => {
    const sale = (source: number, n: number): ConversionFact => ({
      ...{ kind: "conversion", type: "Purchase", name: "Purchase", version: 1, id: `evt_${source}_${n}` },
      ...{ at: FIRST, visitor: null, source: `s${source}`, channel: "Email", value: 0 },
      products: [{ sku: `p${n}`, name: "", units: 1, revenue: n === source ? 10_000 : 10 * (source + 1) }],
    });
    const sales = Array.from({ length: 50 * 1_000 }, (_, i) => sale(Math.floor(i / 1_000), i % 1_000));
    const cube = productsFacet.bound(productsFacet.fold(dedupe(sales)) ?? productsFacet.merge([]));
    const { products, by_source } = productsBody(productsFacet.decode(productsFacet.encode(cube)));
    expect(products).toHaveLength(1_000);
    expect(new Set(products.map((row) => row.units_sold))).toEqual(new Set([50]));
    expect(by_source.map((row) => row.top_product_sku).toSorted()).toEqual(
      Array.from({ length: 50 }, (_, source) => `p${source}`).toSorted(),
    );
  });
});
