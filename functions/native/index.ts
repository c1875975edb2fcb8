import { KMSClient } from "@aws-sdk/client-kms";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { kmsSecretBox } from "../../shared/adapters/kms-secret-box";
import { conversionRecorder } from "../../shared/lambda/conversion-recorder";
import { httpFunction } from "../../shared/lambda/http";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createDynamo } from "../../shared/storage/dynamo";
import { createNativeDirectory } from "../../shared/storage/native/native-directory";
import { parseEnv } from "./env";
import { createNativeHandler } from "./handler";
import { createReceive } from "./receive";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = httpFunction(
  createNativeHandler({
    integrations: createNativeDirectory(dynamo, env.CONFIG_TABLE),
    receive: createReceive({
      record: conversionRecorder({
        dynamo,
        facts: createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom }),
        identityTable: env.IDENTITY_TABLE,
        deliveriesTable: env.DELIVERIES_TABLE,
        outboxUrl: env.OUTBOX_QUEUE_URL,
        linksUrl: env.LINKS_QUEUE_URL,
      }),
      secrets: kmsSecretBox(new KMSClient(AWS_CLIENT), env.SECRETS_KEY_ID, systemClock),
      clock: systemClock,
    }),
    clock: systemClock,
  }),
);
