import { setTimeout as sleep } from "node:timers/promises";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { ApiError } from "../../domain/errors";
import { changedFacets, NO_FUNNELS, type SavedFunnels } from "../../domain/funnels/saved-funnels";
import type { Instant } from "../../domain/instant";
import type { FunnelDirectory } from "../../ports/funnels";
import { facetChanged } from "../analytics/facet-builds";
import { type Dynamo, isConditionFailure } from "../dynamo";
import { type TransactItem, transact } from "../transact";
import { funnelsKey } from "./funnel-keys";
import { fromItem, toItem } from "./funnels-item";
import { whileOfVersion } from "./unchanged";

/** Where saved funnels are kept, and where word is left for who builds their cubes. */
export interface FunnelTables {
  readonly dynamo: Dynamo;
  readonly tables: { readonly config: string; readonly facts: string };
}

/**
 * How long a change goes on trying: well within what a function may run, so that who lost all the time is told so and not
 * cut off with the gateway's own 500.
 */
const PATIENCE_MS = 6_000;
const LONGEST_PAUSE_MS = 1_500;

export const createFunnelDirectory = (dynamo: Dynamo, configTable: string): FunnelDirectory => ({
  of: (site, signal) => readFunnels(dynamo, configTable, site, signal),
});

/** All a site has saved, read consistently. */
export async function readFunnels(
  dynamo: Dynamo,
  configTable: string,
  site: number,
  signal?: AbortSignal,
): Promise<SavedFunnels> {
  const { Item } = await dynamo.send(
    new GetCommand({ TableName: configTable, Key: funnelsKey(site), ConsistentRead: true }),
    signal ? { abortSignal: signal } : {},
  );
  return Item ? fromItem(Item) : NO_FUNNELS;
}

/**
 * Makes one change of a site's funnels: what `change` makes of them as they are. It is called again when somebody else
 * was faster, so that concurrent changes all take place, one after the other; what it throws ends the attempt. In the same
 * transaction the builder of cubes is left word of every facet that is new and every one that is gone; their names are
 * answered. Throws CONFLICT when somebody else was faster for `patienceMs`.
 */
export async function changeFunnels(
  { dynamo, tables }: FunnelTables,
  site: number,
  change: (before: SavedFunnels) => SavedFunnels,
  now: Instant,
  patienceMs = PATIENCE_MS,
): Promise<{ after: SavedFunnels; facets: string[] }> {
  const patience = AbortSignal.timeout(patienceMs);
  for (let attempt = 1; !patience.aborted; attempt++) {
    const before = await readFunnels(dynamo, tables.config, site);
    const after = change(before);
    const facets = changedFacets(before, after);
    const put: TransactItem = {
      Put: {
        TableName: tables.config,
        Item: { ...funnelsKey(site), ...toItem(after) },
        ...whileOfVersion(before.version),
      },
    };
    try {
      await transact(dynamo, [put, ...facets.map((facet) => facetChanged(tables.facts, site, facet, now))]);
      return { after, facets };
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
      await sleep(Math.random() * Math.min(20 * 2 ** attempt, LONGEST_PAUSE_MS));
    }
  }
  throw new ApiError("CONFLICT", "Others keep changing this site's funnels. Try again.");
}
