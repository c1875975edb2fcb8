import { systemClock } from "../../ports/clock";
import type { SiteDirectory } from "../../ports/sites";
import type { Dynamo } from "../../storage/dynamo";
import { createResponseCache } from "../../storage/read-api/response-cache";
import { createRollingWindow } from "../../storage/read-api/rolling-window";
import { systemRandom } from "../random";
import type { ReadDependencies } from "../read-endpoint";
import { READ_RATE_LIMIT } from "./admission";

/** What every endpoint of the read API is given in its composition root. */
export const readDependencies = (
  dynamo: Dynamo,
  ephemeralTable: string,
  sites: SiteDirectory,
): ReadDependencies => ({
  sites,
  rateLimit: createRollingWindow(dynamo, ephemeralTable, READ_RATE_LIMIT, systemRandom),
  cache: createResponseCache(dynamo, ephemeralTable),
  clock: systemClock,
});
