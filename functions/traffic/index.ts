import { randomBytes } from "node:crypto";
import { queueFunction } from "../../shared/lambda/queue";
import { systemClock } from "../../shared/ports/clock";
import { createDynamo } from "../../shared/storage/dynamo";
import { createFactLog } from "../../shared/storage/facts";
import { cachedSites, createSiteDirectory } from "../../shared/storage/sites";
import { createVisitorNumbers } from "../../shared/storage/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/visitors";
import { createVisitJournal } from "../../shared/storage/visits";
import { parseEnv } from "./env";
import { trafficWriter } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = queueFunction(
  trafficWriter({
    sites: cachedSites(createSiteDirectory(dynamo, env.CONFIG_TABLE), systemClock),
    registry: createVisitorRegistry(
      dynamo,
      env.IDENTITY_TABLE,
      createVisitorNumbers(dynamo, env.IDENTITY_TABLE),
    ),
    journal: createVisitJournal(dynamo, env.IDENTITY_TABLE),
    facts: createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: randomBytes }),
  }),
);
