import { randomBytes } from "node:crypto";
import { createCubeReader } from "../../shared/application/cube-reader";
import { createRebuilder } from "../../shared/application/rebuilder";
import { createSealer } from "../../shared/application/sealer";
import { FACETS } from "../../shared/domain/analytics/facets";
import type { Clock } from "../../shared/ports/clock";
import type { LayoutSizes } from "../../shared/storage/analytics/cube-layout";
import { createCubeStore } from "../../shared/storage/analytics/cubes";
import { createFactLog, createFactReader } from "../../shared/storage/analytics/facts";
import { createMark, createMarkerReader } from "../../shared/storage/analytics/markers";
import type { Dynamo } from "../../shared/storage/dynamo";
import type { Engine } from "./engine";

/** The analytics core over an engine (or one process's gated client of it), as the functions compose it. */
export function analyticsOver(
  engine: Pick<Engine, "tables">,
  dynamo: Dynamo,
  clock: Clock,
  sizes: Partial<LayoutSizes> = {},
) {
  const table = engine.tables.Facts;
  const markers = createMarkerReader(dynamo, table);
  const facts = createFactReader(dynamo, table);
  const cubes = createCubeStore({
    dynamo,
    tables: { cubes: engine.tables.Cubes, facts: table },
    random: randomBytes,
    sizes,
  });
  const sealer = createSealer({ markers, facts, cubes, facets: FACETS, clock });
  return {
    markers,
    facts,
    cubes,
    sealer,
    log: createFactLog({ dynamo, table, clock, random: randomBytes }),
    reader: createCubeReader({ markers, facts, cubes }),
    rebuilder: createRebuilder({
      markers,
      facts,
      sealer,
      clock,
      mark: createMark(dynamo, table, randomBytes),
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
