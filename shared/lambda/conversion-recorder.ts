import { SQSClient } from "@aws-sdk/client-sqs";
import { sqsQueue } from "../adapters/sqs-queue";
import { byVisitorId, firstMatch } from "../application/matching";
import { createRecordConversion, type RecordConversion } from "../application/record-conversion";
import type { OutboxEntry } from "../ports/outbox";
import type { FactLog } from "../storage/analytics/facts";
import { createConversionLog, factsWriter, outboxWriter } from "../storage/conversion/conversions";
import { receiptWriter } from "../storage/conversion/receipts";
import type { Dynamo } from "../storage/dynamo";
import { createVisitorReader } from "../storage/tracking/visitor-reader";
import { bestEffort } from "./best-effort";
import { systemRandom } from "./random";

export interface RecorderResources {
  readonly dynamo: Dynamo;
  readonly facts: FactLog;
  readonly identityTable: string;
  readonly deliveriesTable: string;
  readonly outboxUrl: string;
}

/** The one way into the books, as every function that takes conversions is given it in its composition root. */
export function conversionRecorder(resources: RecorderResources): RecordConversion {
  const { dynamo, facts, identityTable, deliveriesTable, outboxUrl } = resources;
  // A wake-up is not worth waiting for: the sweeper sends another.
  const sqs = new SQSClient({
    maxAttempts: 2,
    requestHandler: { connectionTimeout: 500, socketTimeout: 1_000 },
  });
  const outbox = sqsQueue<OutboxEntry>(sqs, outboxUrl);
  return createRecordConversion({
    match: firstMatch([byVisitorId(createVisitorReader(dynamo, identityTable))]),
    conversions: createConversionLog(dynamo, identityTable, [
      factsWriter(facts),
      outboxWriter(deliveriesTable),
      receiptWriter(deliveriesTable),
    ]),
    random: systemRandom,
    wakeRelay: (entry) => bestEffort("wake-up lost; the sweeper sends another", () => outbox.send(entry)),
  });
}
