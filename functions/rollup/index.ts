import { createSealer } from "../../shared/application/sealer";
import { FACETS } from "../../shared/domain/analytics/facets";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createCubeStore } from "../../shared/storage/analytics/cubes";
import { createFactReader } from "../../shared/storage/analytics/facts";
import { createMarkerReader, createSealingSchedule } from "../../shared/storage/analytics/markers";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { rollupHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = rollupHandler({
  sealer: createSealer({
    markers: createMarkerReader(dynamo, env.FACTS_TABLE),
    facts: createFactReader(dynamo, env.FACTS_TABLE),
    cubes: createCubeStore({
      dynamo,
      tables: { cubes: env.CUBES_TABLE, facts: env.FACTS_TABLE },
      random: systemRandom,
    }),
    facets: FACETS,
    clock: systemClock,
  }),
  schedule: createSealingSchedule(dynamo, env.FACTS_TABLE),
  clock: systemClock,
});
