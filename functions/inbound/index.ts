import { conversionRecorder } from "../../shared/lambda/conversion-recorder";
import { httpFunction } from "../../shared/lambda/http";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createReceiptLog } from "../../shared/storage/conversion/receipts";
import { createReceivingWebhookDirectory } from "../../shared/storage/conversion/receiving-webhooks";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { createInboundHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = httpFunction(
  createInboundHandler({
    webhooks: createReceivingWebhookDirectory(dynamo, env.CONFIG_TABLE),
    record: conversionRecorder({
      dynamo,
      facts: createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom }),
      identityTable: env.IDENTITY_TABLE,
      deliveriesTable: env.DELIVERIES_TABLE,
      outboxUrl: env.OUTBOX_QUEUE_URL,
      linksUrl: env.LINKS_QUEUE_URL,
      linkLookupSeconds: env.LINK_LOOKUP_SECONDS,
    }),
    receipts: createReceiptLog(dynamo, env.DELIVERIES_TABLE),
    random: systemRandom,
    clock: systemClock,
  }),
);
