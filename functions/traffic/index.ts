import { conversionRecorder, linkWaker, wakingClient } from "../../shared/lambda/conversion-recorder";
import { queueFunction } from "../../shared/lambda/queue";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { cachedSites, createSiteDirectory } from "../../shared/storage/access/sites";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createDynamo } from "../../shared/storage/dynamo";
import { createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
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
    people: createPeopleRegistry(dynamo, env.IDENTITY_TABLE, systemRandom),
    wakeLinks: linkWaker(wakingClient(), env.LINKS_QUEUE_URL),
    facts,
    recordEvents: createEventRecorder(
      conversionRecorder({
        dynamo,
        facts,
        identityTable: env.IDENTITY_TABLE,
        deliveriesTable: env.DELIVERIES_TABLE,
        outboxUrl: env.OUTBOX_QUEUE_URL,
        linksUrl: env.LINKS_QUEUE_URL,
      }),
    ),
  }),
);
