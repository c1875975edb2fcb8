import { randomBytes } from "node:crypto";
import { createCubeReader } from "../../shared/application/cube-reader";
import { bucketAt, bucketEnd, QUARTER } from "../../shared/domain/analytics/bucket";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import type { Interval } from "../../shared/domain/analytics/plan";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import { DAY } from "../../shared/domain/instant";
import { overview } from "../../shared/domain/read-api/overview";
import { createCubeStore } from "../../shared/storage/cubes";
import { createFactReader } from "../../shared/storage/facts";
import { createMarkerReader } from "../../shared/storage/markers";
import { type LoadedSite, loadedUntil } from "./load";
import { metered, timed } from "./measure";

export interface OverviewFigures {
  readonly range: string;
  readonly pageviews: number;
  readonly requests: number;
  readonly readUnits: number;
  readonly medianMs: number;
}

const HALF_PAST_FIVE = 22 * QUARTER;

/** Local days that end with the loaded data's last day. */
function ranges(loaded: LoadedSite): { range: string; interval: Interval }[] {
  const endUtc = bucketEnd(bucketAt("day", loadedUntil(loaded.shape) - 1));
  const last = (days: number, offset: number) => ({
    start: endUtc - days * DAY - offset,
    end: endUtc - offset,
  });
  return [1, 30, 365].flatMap((days) => [
    { range: `${days} d UTC`, interval: last(days, 0) },
    { range: `${days} d Asia/Kolkata`, interval: last(days, HALF_PAST_FIVE) },
  ]);
}

/** Reads overview from cubes: read units, requests and the time of read and answer. */
export async function measureOverview(loaded: LoadedSite): Promise<OverviewFigures[]> {
  const meter = metered(loaded.engine.dynamo);
  const { Facts: facts, Cubes: cubes } = loaded.engine.tables;
  const reader = createCubeReader({
    markers: createMarkerReader(meter.dynamo, facts),
    facts: createFactReader(meter.dynamo, facts),
    cubes: createCubeStore({ dynamo: meter.dynamo, tables: { facts, cubes }, random: randomBytes }),
  });
  const figures: OverviewFigures[] = [];
  for (const { range, interval } of ranges(loaded)) {
    const ask = async () => overview(await reader.read({ site: loaded.site, facet: traffic, interval }));
    meter.reset();
    const { totals } = await ask();
    const { requests, readUnits } = meter.consumption();
    const { median } = await timed(9, ask);
    figures.push({ range, pageviews: totals.pageviews, requests, readUnits, medianMs: median });
  }
  return figures;
}

/** The same question asked of the raw facts of the last `days` UTC days. */
export async function measureRawOverview(loaded: LoadedSite, days: number): Promise<OverviewFigures> {
  const meter = metered(loaded.engine.dynamo);
  const reader = createFactReader(meter.dynamo, loaded.engine.tables.Facts);
  const end = bucketEnd(bucketAt("day", loadedUntil(loaded.shape) - 1));
  const began = performance.now();
  let cube = traffic.merge([]);
  for (let day = end - days * DAY; day < end; day += DAY) {
    const quarters = await reader.read(loaded.site, day, day + DAY);
    cube = traffic.merge([
      cube,
      ...[...quarters.values()].flatMap((facts) => traffic.fold(dedupe(facts)) ?? []),
    ]);
  }
  const { totals } = overview(cube);
  const { requests, readUnits } = meter.consumption();
  return {
    range: `${days} d UTC`,
    pageviews: totals.pageviews,
    requests,
    readUnits,
    medianMs: performance.now() - began,
  };
}
