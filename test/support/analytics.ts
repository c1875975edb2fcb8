import { randomBytes } from "node:crypto";
import { createCubeReader } from "../../shared/application/cube-reader";
import { createFacetBuilder } from "../../shared/application/facet-builder";
import { createRebuilder } from "../../shared/application/rebuilder";
import { createSealer } from "../../shared/application/sealer";
import { analyticsStores } from "../../shared/lambda/analytics-stores";
import type { Clock } from "../../shared/ports/clock";
import type { LayoutSizes } from "../../shared/storage/analytics/cube-layout";
import { createCubeStore } from "../../shared/storage/analytics/cubes";
import { createFacetBuilds } from "../../shared/storage/analytics/facet-builds";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createMark } from "../../shared/storage/analytics/markers";
import type { Dynamo } from "../../shared/storage/dynamo";
import type { Engine } from "./engine";

/** The analytics core over an engine (or one process's gated client of it), as the functions compose it. */
export function analyticsOver(
  engine: Pick<Engine, "tables">,
  dynamo: Dynamo,
  clock: Clock,
  sizes: Partial<LayoutSizes> = {},
) {
  const { Facts: table, Cubes, Config } = engine.tables;
  const stores = analyticsStores(dynamo, { facts: table, cubes: Cubes, config: Config });
  const { markers, facts, facetsOf } = stores;
  const cubes = createCubeStore({
    dynamo,
    tables: { cubes: Cubes, facts: table, config: Config },
    random: randomBytes,
    sizes,
  });
  const sealer = createSealer({ markers, facts, cubes, facetsOf, clock });
  const mark = createMark(dynamo, table, randomBytes);
  const builds = createFacetBuilds(dynamo, table);
  return {
    markers,
    facts,
    cubes,
    facetsOf,
    funnels: stores.funnels,
    sealer,
    builds,
    builder: createFacetBuilder({ markers, facts, cubes, mark, sealer, facetsOf, builds, clock }),
    log: createFactLog({ dynamo, table, clock, random: randomBytes }),
    reader: createCubeReader({ markers, facts, cubes }),
    rebuilder: createRebuilder({
      markers,
      facts,
      sealer,
      clock,
      mark,
    }),
    /** Seals until no marked bucket is ready. */
    async sealAll(site: number): Promise<void> {
      for (;;) {
        const marked = (await markers.list(site)).map(({ bucket }) => bucket);
        if ((await sealer.seal(site, marked)) === 0) return;
      }
    },
  };
}
