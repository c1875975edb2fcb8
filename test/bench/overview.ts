import { randomBytes } from "node:crypto";
import { bucketAt, bucketEnd } from "../../shared/domain/analytics/bucket";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { dedupe } from "../../shared/domain/analytics/quarter-facts";
import { DAY, toIso } from "../../shared/domain/instant";
import { overviewBody } from "../../shared/domain/read-api/overview";
import { httpFunction } from "../../shared/lambda/http";
import { composeReads } from "../../shared/lambda/read-api/endpoint";
import { overview } from "../../shared/lambda/read-api/endpoints/overview";
import { createFactReader } from "../../shared/storage/analytics/facts";
import type { Dynamo } from "../../shared/storage/dynamo";
import { event, granted, send } from "../read-api/support";
import { type LoadedSite, loadedUntil, WORKSPACE } from "./load";
import { metered, timed } from "./measure";

export interface OverviewFigures {
  readonly range: string;
  readonly pageviews: number;
  /** Of the whole request, the authorizer's one not counted. */
  readonly "round trips": number;
  readonly requests: number;
  readonly "read units": number;
  /** Of the handler, with `Cache-Control: no-cache`: rate limit, access, cubes, answer, and refilling the cache. */
  readonly "median ms": number;
  readonly "cached ms": number;
  /** Resident memory afterwards. */
  readonly "memory MB": number;
}

/** Asks `GET /v1/overview` of the function as it is composed for Lambda, but for the clock. */
export async function measureOverview(loaded: LoadedSite): Promise<OverviewFigures[]> {
  const meter = metered(loaded.engine.dynamo);
  const ask = asker(loaded, meter.dynamo);
  const figures: OverviewFigures[] = [];
  for (const days of [1, 30, 365]) {
    for (const timezone of ["UTC", "Asia/Kolkata"]) {
      const query = rangeQuery(loaded, days, timezone);
      await ask(query, true);
      meter.reset();
      const { totals } = await ask(query, true);
      const { requests, roundTrips, readUnits } = meter.consumption();
      figures.push({
        range: `${days} d ${timezone}`,
        pageviews: totals.pageviews,
        "round trips": roundTrips,
        requests,
        "read units": readUnits,
        "median ms": (await timed(15, () => ask(query, true))).median,
        "cached ms": (await timed(15, () => ask(query, false))).median,
        "memory MB": process.memoryUsage().rss / 2 ** 20,
      });
    }
  }
  return figures;
}

/** Local days that end with the loaded data's last day. */
function rangeQuery({ site, shape }: LoadedSite, days: number, timezone: string): string {
  const date = (at: number) => toIso(at).slice(0, 10);
  const last = loadedUntil(shape) - 1;
  const parameters = { site_id: String(site), from: date(last - (days - 1) * DAY), to: date(last), timezone };
  return String(new URLSearchParams(parameters));
}

function asker({ engine, shape }: LoadedSite, dynamo: Dynamo) {
  const { Config, Facts: facts, Cubes: cubes, Ephemeral } = engine.tables;
  const { dependencies, sources } = composeReads(dynamo, {
    CONFIG_TABLE: Config,
    FACTS_TABLE: facts,
    CUBES_TABLE: cubes,
    EPHEMERAL_TABLE: Ephemeral,
  });
  const clock = () => loadedUntil(shape);
  const handler = httpFunction(overview.handler({ ...dependencies, clock }, sources));
  let asked = 0;
  return async (query: string, fresh: boolean) => {
    // A key of its own for each hundred requests, or the rate limit would answer.
    const verdict = granted("all", `key_${randomBytes(4).toString("hex")}${Math.floor(asked++ / 100)}`);
    const principal = "principal" in verdict ? { ...verdict.principal, workspace: WORKSPACE } : null;
    const answer = await send(
      handler,
      event(query, {
        path: "/v1/overview",
        context: { verdict: JSON.stringify({ principal }) },
        headers: fresh ? { "cache-control": "no-cache" } : {},
      }),
    );
    if (answer.status !== 200) throw new Error(`overview answered ${answer.status}: ${answer.text}`);
    return answer.json() as { totals: { pageviews: number } };
  };
}

/** The same question asked of the raw facts of the last `days` UTC days. */
export async function measureRawOverview(
  loaded: LoadedSite,
  days: number,
): Promise<{ range: string; ms: number; readUnits: number }> {
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
  overviewBody(cube);
  return {
    range: `${days} d UTC`,
    ms: performance.now() - began,
    readUnits: meter.consumption().readUnits,
  };
}
