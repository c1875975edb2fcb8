import { SQSClient } from "@aws-sdk/client-sqs";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { systemClock } from "../../shared/ports/clock";
import { createFacetBuilds } from "../../shared/storage/analytics/facet-builds";
import { createSealingSchedule } from "../../shared/storage/analytics/markers";
import { createOutbox } from "../../shared/storage/conversion/outbox";
import { createDynamo } from "../../shared/storage/dynamo";
import { createPendingLinks } from "../../shared/storage/identity/pending-links";
import { parseEnv } from "./env";
import { sweeperHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const sqs = new SQSClient(AWS_CLIENT);

export const handler = sweeperHandler({
  schedule: createSealingSchedule(dynamo, env.FACTS_TABLE),
  builds: createFacetBuilds(dynamo, env.FACTS_TABLE),
  outbox: createOutbox(dynamo, env.DELIVERIES_TABLE),
  rollups: sqsQueue(sqs, env.ROLLUP_QUEUE_URL),
  backfills: sqsQueue(sqs, env.BACKFILL_QUEUE_URL),
  announcements: sqsQueue(sqs, env.OUTBOX_QUEUE_URL),
  links: createPendingLinks(dynamo, env.DELIVERIES_TABLE),
  lookUps: sqsQueue(sqs, env.LINKS_QUEUE_URL),
  clock: systemClock,
});
