import { join } from "node:path";
import { SQSClient } from "@aws-sdk/client-sqs";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { countryDatabase } from "../../shared/adapters/country-database";
import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { httpFunction } from "../../shared/lambda/http";
import { systemClock } from "../../shared/ports/clock";
import { cachedSites, createSiteDirectory } from "../../shared/storage/access/sites";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { collectHandler } from "./handler";

const env = parseEnv(process.env);

export const handler = httpFunction(
  collectHandler({
    sites: cachedSites(createSiteDirectory(createDynamo(), env.CONFIG_TABLE), systemClock),
    traffic: sqsQueue(new SQSClient(AWS_CLIENT), env.TRAFFIC_QUEUE_URL),
    countryOfAddress: countryDatabase(join(__dirname, "country.mmdb")),
    clock: systemClock,
  }),
);
