import { systemClock } from "../../shared/ports/clock";
import { findStanding } from "../../shared/storage/access/credentials";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { authorizerHandler } from "./handler";

const { CONFIG_TABLE } = parseEnv(process.env);
const config = { dynamo: createDynamo(), table: CONFIG_TABLE };

export const handler = authorizerHandler({
  findStanding: (key, claims) => findStanding(config, key, claims),
  clock: systemClock,
});
