import { createCubeReader } from "../../shared/application/cube-reader";
import { systemRandom } from "../../shared/lambda/random";
import { readDependencies } from "../../shared/lambda/read-api/dependencies";
import { createCubeStore } from "../../shared/storage/cubes";
import { createDynamo } from "../../shared/storage/dynamo";
import { createFactReader } from "../../shared/storage/facts";
import { createMarkerReader } from "../../shared/storage/markers";
import { createSiteDirectory } from "../../shared/storage/sites";
import { parseEnv } from "./env";
import { overviewHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const tables = { facts: env.FACTS_TABLE, cubes: env.CUBES_TABLE };

export const handler = overviewHandler(
  readDependencies(dynamo, env.EPHEMERAL_TABLE, createSiteDirectory(dynamo, env.CONFIG_TABLE)),
  createCubeReader({
    markers: createMarkerReader(dynamo, tables.facts),
    facts: createFactReader(dynamo, tables.facts),
    cubes: createCubeStore({ dynamo, tables, random: systemRandom }),
  }),
);
