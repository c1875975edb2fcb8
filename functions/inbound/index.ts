import { SQSClient } from "@aws-sdk/client-sqs";
import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { byVisitorId, firstMatch } from "../../shared/application/matching";
import { createRecordConversion } from "../../shared/application/record-conversion";
import { bestEffort } from "../../shared/lambda/best-effort";
import { httpFunction } from "../../shared/lambda/http";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import type { OutboxEntry } from "../../shared/ports/outbox";
import { createConversionLog, factsWriter, outboxWriter } from "../../shared/storage/conversions";
import { createDynamo } from "../../shared/storage/dynamo";
import { createFactLog } from "../../shared/storage/facts";
import { createReceivingWebhookDirectory } from "../../shared/storage/receiving-webhooks";
import { createVisitorReader } from "../../shared/storage/visitor-reader";
import { parseEnv } from "./env";
import { createInboundHandler } from "./handler";

const env = parseEnv(process.env);
// A call that hangs is given up and sent again well within the function's time; a wake-up is not worth waiting for.
const dynamo = createDynamo({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true },
});
const sqs = new SQSClient({
  maxAttempts: 2,
  requestHandler: { connectionTimeout: 500, requestTimeout: 1_000, throwOnRequestTimeout: true },
});

const outbox = sqsQueue<OutboxEntry>(sqs, env.OUTBOX_QUEUE_URL);
const facts = createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom });

export const handler = httpFunction(
  createInboundHandler({
    webhooks: createReceivingWebhookDirectory(dynamo, env.CONFIG_TABLE),
    record: createRecordConversion({
      match: firstMatch([byVisitorId(createVisitorReader(dynamo, env.IDENTITY_TABLE))]),
      conversions: createConversionLog(dynamo, env.IDENTITY_TABLE, [
        factsWriter(facts),
        outboxWriter(env.DELIVERIES_TABLE),
      ]),
      random: systemRandom,
      wakeRelay: (entry) => bestEffort("wake-up lost; the sweeper sends another", () => outbox.send(entry)),
    }),
    clock: systemClock,
  }),
);
