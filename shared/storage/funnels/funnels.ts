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

/** More than there can be changes of one site at a time; a change that loses so often is better made again by hand. */
const ATTEMPTS = 100;
const LONGEST_PAUSE_MS = 300;

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
 * answered. Throws CONFLICT when somebody else was faster all the time.
 */
export async function changeFunnels(
  { dynamo, tables }: FunnelTables,
  site: number,
  change: (before: SavedFunnels) => SavedFunnels,
  now: Instant,
): Promise<{ after: SavedFunnels; facets: string[] }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
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
      await sleep(Math.random() * Math.min(attempt * 30, LONGEST_PAUSE_MS));
    }
  }
  throw new ApiError("CONFLICT", "Others keep changing this site's funnels. Try again.");
}
