import { createFacetsOf } from "../application/site-facets";
import { createCubeStore } from "../storage/analytics/cubes";
import { createFactReader } from "../storage/analytics/facts";
import { createMarkerReader } from "../storage/analytics/markers";
import type { Dynamo } from "../storage/dynamo";
import { createFunnelDirectory } from "../storage/funnels/funnels";
import { systemRandom } from "./random";

/** The names of the tables that figures are made of and kept in. */
export interface AnalyticsTables {
  readonly facts: string;
  readonly cubes: string;
  readonly config: string;
}

/** What sealing, building, verifying and reading work with. */
export function analyticsStores(dynamo: Dynamo, tables: AnalyticsTables) {
  const funnels = createFunnelDirectory(dynamo, tables.config);
  return {
    markers: createMarkerReader(dynamo, tables.facts),
    facts: createFactReader(dynamo, tables.facts),
    cubes: createCubeStore({ dynamo, tables, random: systemRandom }),
    funnels,
    facetsOf: createFacetsOf(funnels),
  };
}
