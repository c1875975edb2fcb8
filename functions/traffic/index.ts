import { conversionRecorder } from "../../shared/lambda/conversion-recorder";
import { queueFunction } from "../../shared/lambda/queue";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createDynamo } from "../../shared/storage/dynamo";
import { createFactLog } from "../../shared/storage/facts";
import { cachedSites, createSiteDirectory } from "../../shared/storage/sites";
import { createVisitorNumbers } from "../../shared/storage/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/visitors";
import { createVisitJournal } from "../../shared/storage/visits";
import { parseEnv } from "./env";
import { trafficWriter } from "./handler";
import { createEventRecorder } from "./tracked-events";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const facts = createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom });

export const handler = queueFunction(
  trafficWriter({
    sites: cachedSites(createSiteDirectory(dynamo, env.CONFIG_TABLE), systemClock),
    registry: createVisitorRegistry(
      dynamo,
      env.IDENTITY_TABLE,
      createVisitorNumbers(dynamo, env.IDENTITY_TABLE),
    ),
    journal: createVisitJournal(dynamo, env.IDENTITY_TABLE),
    facts,
    recordEvents: createEventRecorder(
      conversionRecorder({
        dynamo,
        facts,
        identityTable: env.IDENTITY_TABLE,
        deliveriesTable: env.DELIVERIES_TABLE,
        outboxUrl: env.OUTBOX_QUEUE_URL,
      }),
    ),
  }),
);
