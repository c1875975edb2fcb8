import { randomBytes } from "node:crypto";
import { mapPooled } from "../../../shared/application/pooled";
import { quarterOf } from "../../../shared/domain/analytics/block";
import { type Bucket, bucketAt, QUARTER } from "../../../shared/domain/analytics/bucket";
import { withFunnel } from "../../../shared/domain/funnels/saved-funnels";
import { DAY, HOUR, type Instant } from "../../../shared/domain/instant";
import { createApiKey } from "../../../shared/storage/access/api-keys";
import { createMember } from "../../../shared/storage/access/members";
import { createSite } from "../../../shared/storage/access/sites";
import { createWorkspace } from "../../../shared/storage/access/workspaces";
import { changeFunnels } from "../../../shared/storage/funnels/funnels";
import { chunks, transact } from "../../../shared/storage/transact";
import { analyticsOver } from "../../support/analytics";
import { type Engine, startEngine } from "../../support/engine";
import { FUNNELS } from "./catalogue";
import { type DayOfFacts, daysOfFacts, type SiteShape } from "./facts";
import { kept } from "./kept";
import { type StoredCubes, storedCubes, storedFacts } from "./stored";

/** A loaded site. */
export interface LoadedSite {
  readonly engine: Engine;
  /** The engine's database. */
  readonly file: string;
  readonly site: number;
  readonly shape: SiteShape;
  readonly notes: LoadNotes;
}

export interface LoadNotes {
  /** A key that may read the site. */
  readonly apiKey: string;
  readonly pageviews: number;
  readonly visits: number;
  readonly visitors: number;
  readonly conversions: number;
  readonly factItems: number;
  readonly factBytes: number;
  readonly cubes: readonly StoredCubes[];
  readonly loadSeconds: number;
}

const FIRST_DAY = Date.UTC(2025, 10, 20);
const DAYS = 366;
/** Facts a writer's batch brings for one site and quarter. */
const BLOCK_FACTS = 250;
const QUARTERS_AT_ONCE = 8;
const TRANSACTION_ITEMS = 100;

/** A year of about `pageviews`, and a day that has lasted until 20:00 UTC. */
export const shapeOf = (pageviews: number): SiteShape => ({
  pageviews: Math.round((pageviews * DAYS) / 365),
  days: DAYS,
  from: FIRST_DAY,
  until: FIRST_DAY + DAYS * DAY - 4 * HOUR,
});

/**
 * A site of `pageviews` a year in an engine of its own, made by the product's fact log, facets and sealing, and kept in
 * `.bench/` until that code changes.
 */
export async function loadSite(pageviews: number, onDay: (day: number) => void): Promise<LoadedSite> {
  const shape = shapeOf(pageviews);
  const { file, notes, finish } = kept<LoadNotes>(pageviews, "db");
  const engine = await startEngine({ file });
  try {
    if (notes) return { engine, file, site: 1, shape, notes };
    const { site, apiKey } = await openShop(engine, shape.from);
    const made = { apiKey, ...(await load(engine, site, shape, onDay)) };
    finish(made);
    return { engine, file, site, shape, notes: made };
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Workspace, member, site, key, and the funnels, which are saved and built before there is anything to build them from. */
async function openShop(engine: Engine, now: Instant): Promise<{ site: number; apiKey: string }> {
  const { dynamo, tables } = engine;
  const config = { dynamo, table: tables.Config };
  const { workspace } = await createWorkspace(config, { name: "Bench", plan: "unlimited" }, now);
  const owner = { workspace, email: "owner@shop.example", name: "Owner", passwordHash: "none" };
  const { member } = await createMember(config, { ...owner, role: "owner", sites: "all" }, now);
  const { id: site } = await createSite(config, { workspace, domain: "shop.example", name: "Shop" }, now);
  const purpose = { workspace, site, member, name: "Bench" };
  const { value: apiKey } = await createApiKey(config, purpose, { now, random: randomBytes });
  const { builder } = analyticsOver(engine, dynamo, () => now);
  for (const draft of FUNNELS) {
    const where = { dynamo, tables: { config: tables.Config, facts: tables.Facts } };
    const { facets } = await changeFunnels(where, site, (saved) => withFunnel(saved, draft, now), now);
    for (const facet of facets) await builder.build({ site, facet }, Number.POSITIVE_INFINITY);
  }
  return { site, apiKey };
}

/** Each day is sealed while the next one is written: the one keeps this process busy, the other the engine. */
async function load(engine: Engine, site: number, shape: SiteShape, onDay: (day: number) => void) {
  const began = performance.now();
  const count = { pageviews: 0, visits: 0, visitors: 0, conversions: 0 };
  const writeDay = dayWriter(engine, site);
  const sealDay = daySealer(engine, site, shape);
  let sealing = Promise.resolve();
  let days = 0;
  for (const day of daysOfFacts(shape)) {
    await Promise.all([writeDay(day), sealing]);
    sealing = sealDay(day.start);
    sealing.catch(() => {}); // Met when it is awaited.
    for (const fact of day.traffic) {
      if (fact.kind === "pageview") count.pageviews++;
      if (fact.kind === "visit") count.visits++;
      if (fact.kind === "visit" && fact.isFirst) count.visitors++;
    }
    count.conversions += day.conversions.length;
    onDay(++days);
  }
  await sealing;
  const loadSeconds = Math.round((performance.now() - began) / 1_000);
  const [facts, cubes] = [await storedFacts(engine, site), await storedCubes(engine, site)];
  return { ...count, ...facts, cubes, loadSeconds };
}

/** Appends a day through the fact log, in batches as a site's writers bring them. */
function dayWriter(engine: Engine, site: number) {
  let now = 0;
  const { log } = analyticsOver(engine, engine.dynamo, () => now);
  return async ({ start, traffic, conversions }: DayOfFacts): Promise<void> => {
    now = start; // By that clock all quarters of the day are open, and each of them is marked once.
    const quarters = Map.groupBy(traffic, (fact) => quarterOf(fact).start);
    await mapPooled([...quarters.values()], QUARTERS_AT_ONCE, async (facts) => {
      const [first = [], ...others] = chunks(facts, BLOCK_FACTS);
      await log.append(site, first);
      await Promise.all(others.map((batch) => log.append(site, batch)));
    });
    const writes = await log.conversionWrites(site, conversions);
    for (const some of chunks(writes, TRANSACTION_ITEMS)) await transact(engine.dynamo, some);
  };
}

/** Seals a day, and its month with the month's last, as they would have been an hour later. */
function daySealer(engine: Engine, site: number, { until }: SiteShape) {
  let now = 0;
  const { sealer } = analyticsOver(engine, engine.dynamo, () => now);
  return async (start: Instant): Promise<void> => {
    now = Math.min(start + DAY + HOUR, until);
    const quarters = Array.from(
      { length: DAY / QUARTER },
      (_, i): Bucket => ({ level: "quarter", start: start + i * QUARTER }),
    );
    await sealer.seal(site, [...quarters, bucketAt("day", start), bucketAt("month", start)]);
  };
}
