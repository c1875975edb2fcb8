import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { receiptIdOf } from "../../shared/domain/receipts/receipt";
import { bestEffort } from "../../shared/lambda/best-effort";
import { wakingClient } from "../../shared/lambda/conversion-recorder";
import { settlerOver } from "../../shared/lambda/link-settler";
import { queueFunction } from "../../shared/lambda/queue";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import type { OutboxEntry } from "../../shared/ports/outbox";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { receiptLink } from "../../shared/storage/conversion/receipts";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { linkWorker } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const outbox = sqsQueue<OutboxEntry>(wakingClient(), env.OUTBOX_QUEUE_URL);

export const handler = queueFunction(
  linkWorker(
    settlerOver({
      dynamo,
      facts: createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom }),
      tables: { identity: env.IDENTITY_TABLE, deliveries: env.DELIVERIES_TABLE },
      receiptLink: ({ site, id, via }, status) => [
        receiptLink(env.DELIVERIES_TABLE, site, via, receiptIdOf(id), status),
      ],
      clock: systemClock,
      random: systemRandom,
      wakeRelay: (entry) => bestEffort("wake-up lost; the sweeper sends another", () => outbox.send(entry)),
    }),
  ),
);
