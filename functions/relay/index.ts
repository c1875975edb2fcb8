import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { eventBridge } from "../../shared/adapters/event-bus";
import { queueFunction } from "../../shared/lambda/queue";
import { systemRandom } from "../../shared/lambda/random";
import { systemClock } from "../../shared/ports/clock";
import { createFactLog } from "../../shared/storage/analytics/facts";
import { createConversionReader } from "../../shared/storage/conversion/conversions";
import { createOutbox } from "../../shared/storage/conversion/outbox";
import { createDynamo } from "../../shared/storage/dynamo";
import { parseEnv } from "./env";
import { createRelay } from "./handler";

const env = parseEnv(process.env);
const dynamo = createDynamo();

export const handler = queueFunction(
  createRelay({
    outbox: createOutbox(dynamo, env.DELIVERIES_TABLE),
    conversions: createConversionReader(dynamo, env.IDENTITY_TABLE),
    facts: createFactLog({ dynamo, table: env.FACTS_TABLE, clock: systemClock, random: systemRandom }),
    bus: eventBridge(new EventBridgeClient(AWS_CLIENT), env.EVENT_BUS_NAME),
  }),
);
