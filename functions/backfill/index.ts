import { SQSClient } from "@aws-sdk/client-sqs";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { createFacetBuilder } from "../../shared/application/facet-builder";
import { createSealer } from "../../shared/application/sealer";
import { analyticsStores } from "../../shared/lambda/analytics-stores";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createFacetBuilds } from "../../shared/storage/analytics/facet-builds";
import { createMark } from "../../shared/storage/analytics/markers";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { backfillHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();
const stores = analyticsStores(dynamo, {
  facts: env.FACTS_TABLE,
  cubes: env.CUBES_TABLE,
  config: env.CONFIG_TABLE,
});

export const handler = backfillHandler({
  builder: createFacetBuilder({
    ...stores,
    sealer: createSealer({ ...stores, clock: systemClock }),
    mark: createMark(dynamo, env.FACTS_TABLE, systemRandom),
    builds: createFacetBuilds(dynamo, env.FACTS_TABLE),
    clock: systemClock,
  }),
  backfills: sqsQueue(new SQSClient(AWS_CLIENT), env.BACKFILL_QUEUE_URL),
  clock: systemClock,
});
