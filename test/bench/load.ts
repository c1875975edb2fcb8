import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeBlock, quarterOf, splitIntoBlocks } from "../../shared/domain/analytics/block";
import { bucketAt } from "../../shared/domain/analytics/bucket";
import type { ConversionFact, TrafficFact } from "../../shared/domain/analytics/fact";
import { newId } from "../../shared/domain/ids";
import { DAY, type Instant } from "../../shared/domain/instant";
import { createSite } from "../../shared/storage/access/sites";
import { createWorkspace } from "../../shared/storage/access/workspaces";
import {
  blockKey,
  conversionKey,
  dayIndexKey,
  duePartition,
  markerKey,
} from "../../shared/storage/analytics/fact-keys";
import { putAll } from "../../shared/storage/batch";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { daysOfFacts, type SiteShape } from "./site";

/** A loaded site and what it takes to keep. */
export interface LoadedSite {
  readonly engine: Engine;
  readonly site: number;
  readonly shape: SiteShape;
  readonly stats: LoadStats;
}

export interface LoadStats {
  pageviews: number;
  visits: number;
  visitors: number;
  conversions: number;
  blocks: number;
  blockBytes: number;
  conversionBytes: number;
  loadSeconds: number;
}

const SITE = 1;
export const WORKSPACE = 1;
const FIRST_DAY = Date.UTC(2025, 10, 20);
const DAYS = 366;
/** Facts a writer's batch brings for one site and quarter. */
const BLOCK_FACTS = 250;

/**
 * A site of `pageviews` over 366 days in an engine of its own, made by the product's codec, fold and sealing, and kept
 * in `.bench/` until that code changes. The last day is not over: its quarters are sealed, the day is not.
 */
export async function loadSite(pageviews: number, onDay: (day: number) => void): Promise<LoadedSite> {
  const shape: SiteShape = { pageviews: Math.round((pageviews * DAYS) / 365), days: DAYS, from: FIRST_DAY };
  const folder = ".bench";
  mkdirSync(folder, { recursive: true });
  const name = `${pageviews}-${fingerprint()}`;
  const file = join(folder, `${name}.db`);
  const statsFile = join(folder, `${name}.json`);
  const isKept = existsSync(statsFile);
  if (!isKept) {
    for (const old of readdirSync(folder)) if (old.startsWith(`${pageviews}-`)) rmSync(join(folder, old));
  }
  const engine = await startEngine({ file });
  if (!isKept) writeFileSync(statsFile, JSON.stringify(await load(engine, shape, onDay)));
  return { engine, site: SITE, shape, stats: JSON.parse(readFileSync(statsFile, "utf8")) as LoadStats };
}

/** The end of the loaded data: 20:00 UTC of its last day. */
export const loadedUntil = (shape: SiteShape): Instant => shape.from + shape.days * DAY - 4 * 3_600_000;

async function load(engine: Engine, shape: SiteShape, onDay: (day: number) => void): Promise<LoadStats> {
  const began = performance.now();
  const stats: LoadStats = {
    pageviews: 0,
    visits: 0,
    visitors: 0,
    conversions: 0,
    blocks: 0,
    blockBytes: 0,
    conversionBytes: 0,
    loadSeconds: 0,
  };
  const until = loadedUntil(shape);
  const core = analyticsOver(engine, engine.dynamo, () => Math.min(until, shape.from + 800 * DAY));
  const config = { dynamo: engine.dynamo, table: engine.tables.Config };
  const { workspace } = await createWorkspace(config, { name: "Bench", plan: "unlimited" }, shape.from);
  const { id } = await createSite(config, { workspace, domain: "shop.example", name: "Shop" }, shape.from);
  if (workspace !== WORKSPACE || id !== SITE) throw new Error("the load is not the first in its tables");
  let day = 0;
  for (const { traffic, conversions } of daysOfFacts(shape)) {
    const known = traffic.filter((fact) => fact.at < until);
    await writeDay(
      engine,
      known,
      conversions.filter((fact) => fact.at < until),
      stats,
    );
    const start = shape.from + day * DAY;
    const marked = (await core.markers.list(SITE)).map(({ bucket }) => bucket);
    await core.sealer.seal(SITE, [...marked, bucketAt("day", start), bucketAt("month", start)]);
    onDay(++day);
  }
  stats.loadSeconds = Math.round((performance.now() - began) / 1_000);
  return stats;
}

/** Writes what the traffic writer and the conversions' transactions would have, without going through them. */
async function writeDay(
  engine: Engine,
  traffic: readonly TrafficFact[],
  conversions: readonly ConversionFact[],
  stats: LoadStats,
): Promise<void> {
  const items: Record<string, unknown>[] = [];
  for (const [start, facts] of Map.groupBy(traffic, (fact) => quarterOf(fact).start)) {
    const quarter = { level: "quarter", start } as const;
    items.push(dayIndexKey(SITE, start));
    items.push({ ...markerKey(SITE, quarter), nonce: "load", due_pk: duePartition(SITE), due_at: start });
    for (let i = 0; i < facts.length; i += BLOCK_FACTS) {
      for (const some of splitIntoBlocks(facts.slice(i, i + BLOCK_FACTS))) {
        const block = encodeBlock(some);
        items.push({
          ...blockKey(
            SITE,
            start,
            newId("blk", start + i, (n) => new Uint8Array(n)),
          ),
          block,
        });
        stats.blocks++;
        stats.blockBytes += block.length;
      }
    }
  }
  for (const fact of traffic) {
    if (fact.kind === "pageview") stats.pageviews++;
    if (fact.kind !== "visit") continue;
    stats.visits++;
    if (fact.isFirst) stats.visitors++;
  }
  for (const fact of conversions) {
    items.push({ ...conversionKey(SITE, quarterOf(fact).start, fact), fact });
    stats.conversions++;
    stats.conversionBytes += JSON.stringify(fact).length;
  }
  const unique = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
  await putAll(engine.dynamo, engine.tables.Facts, [...unique.values()]);
}

/** What only looks at the data. */
const MEASURES = /^(run|report|measure|overview|write-path|bundles)\.ts$/;

/** Of the code whose output is kept. */
function fingerprint(): string {
  const hash = createHash("sha256");
  for (const folder of ["shared/domain/analytics", "shared/storage/analytics", "test/bench"]) {
    for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (file.isFile() && file.name.endsWith(".ts") && !MEASURES.test(file.name))
        hash.update(readFileSync(join(file.parentPath, file.name)));
    }
  }
  return hash.digest("hex").slice(0, 12);
}
