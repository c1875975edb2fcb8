import { createSealer } from "../../shared/application/sealer";
import { analyticsStores } from "../../shared/lambda/analytics-stores";
import { systemClock } from "../../shared/ports/clock";
import { createSealingSchedule } from "../../shared/storage/analytics/markers";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { rollupHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const tables = { facts: env.FACTS_TABLE, cubes: env.CUBES_TABLE, config: env.CONFIG_TABLE };

export const handler = rollupHandler({
  sealer: createSealer({ ...analyticsStores(dynamo, tables), clock: systemClock }),
  schedule: createSealingSchedule(dynamo, env.FACTS_TABLE),
  clock: systemClock,
});
