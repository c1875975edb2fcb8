import { KMSClient } from "@aws-sdk/client-kms";
import { SQSClient } from "@aws-sdk/client-sqs";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { kmsSecretBox } from "../../shared/adapters/kms-secret-box";
import { sqsQueue } from "../../shared/adapters/sqs-queue";
import { hashPassword, verifyPassword } from "../../shared/domain/access/password";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createSessions } from "../../shared/storage/access/sessions";
import { createReceiptLog } from "../../shared/storage/conversion/receipts";
import { createDynamo } from "../../shared/storage/dynamo";
import { createNativeSources } from "../../shared/storage/native/native-integrations";
import { parseEnv } from "./env";
import { manageHandler } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = manageHandler({
  config: { dynamo, table: env.CONFIG_TABLE },
  sessions: createSessions(dynamo, env.EPHEMERAL_TABLE, systemRandom),
  clock: systemClock,
  random: systemRandom,
  hashPassword: (password) => hashPassword(password, systemRandom),
  verifyPassword,
  funnels: { dynamo, tables: { config: env.CONFIG_TABLE, facts: env.FACTS_TABLE } },
  backfills: sqsQueue(new SQSClient(AWS_CLIENT), env.BACKFILL_QUEUE_URL),
  secrets: kmsSecretBox(new KMSClient(AWS_CLIENT), env.SECRETS_KEY_ID, systemClock),
  receipts: createReceiptLog(dynamo, env.DELIVERIES_TABLE),
  nativeSources: createNativeSources({ dynamo, table: env.CONFIG_TABLE }),
});
