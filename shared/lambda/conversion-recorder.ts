import { SQSClient } from "@aws-sdk/client-sqs";
import { sqsQueue } from "../adapters/sqs-queue";
import { createIdentify } from "../application/identification";
import { byClickId, byEmail, byVisitorId, firstMatch } from "../application/matching";
import {
  createRecordConversion,
  type RecordConversion,
  type RecordingDependencies,
} from "../application/record-conversion";
import { SECOND } from "../domain/instant";
import type { LinkEntry } from "../ports/links";
import type { OutboxEntry } from "../ports/outbox";
import type { VisitorReader } from "../ports/visitors";
import type { FactLog } from "../storage/analytics/facts";
import {
  createConversionLog,
  createConversionReader,
  factsWriter,
  linkWriter,
  outboxWriter,
} from "../storage/conversion/conversions";
import { receiptWriter } from "../storage/conversion/receipts";
import type { Dynamo } from "../storage/dynamo";
import type { LinkTables } from "../storage/identity/pending-links";
import { createPeopleReader } from "../storage/identity/people";
import { createVisitorReader } from "../storage/tracking/visitor-reader";
import { bestEffort } from "./best-effort";
import { systemRandom } from "./random";

/** What the recorder stands on. */
export interface RecorderGround
  extends Pick<RecordingDependencies, "random" | "linkLookupMs" | "wakeRelay" | "wakeLinks"> {
  readonly dynamo: Dynamo;
  readonly facts: FactLog;
  readonly tables: LinkTables;
  /** Those of the tables unless told. */
  readonly visitors?: VisitorReader;
}

/** The one way into the books, over the tables. Here is the order of the matchers, and what each conversion entails. */
export function recorderOver({ dynamo, facts, tables, ...ground }: RecorderGround): RecordConversion {
  const visitors = ground.visitors ?? createVisitorReader(dynamo, tables.identity);
  return createRecordConversion({
    ...ground,
    identify: createIdentify({
      people: createPeopleReader(dynamo, tables.identity),
      match: firstMatch([byVisitorId(visitors), byClickId(visitors), byEmail(visitors)]),
    }),
    conversions: createConversionLog(dynamo, tables.identity, [
      factsWriter(facts),
      outboxWriter(tables.deliveries),
      linkWriter(tables),
      receiptWriter(tables.deliveries),
    ]),
    recorded: createConversionReader(dynamo, tables.identity),
    prepare: facts.expect,
  });
}

export interface RecorderResources {
  readonly dynamo: Dynamo;
  readonly facts: FactLog;
  readonly identityTable: string;
  readonly deliveriesTable: string;
  readonly outboxUrl: string;
  readonly linksUrl: string;
  /** How long the person of an existing e-mail is looked for; of no concern to sources that read none. */
  readonly linkLookupSeconds?: number;
}

/** The recorder as every function that takes conversions is given it in its composition root. */
export function conversionRecorder(resources: RecorderResources): RecordConversion {
  const { dynamo, facts, identityTable, deliveriesTable, outboxUrl, linksUrl } = resources;
  const sqs = wakingClient();
  const outbox = sqsQueue<OutboxEntry>(sqs, outboxUrl);
  return recorderOver({
    dynamo,
    facts,
    tables: { identity: identityTable, deliveries: deliveriesTable },
    random: systemRandom,
    linkLookupMs: (resources.linkLookupSeconds ?? 0) * SECOND,
    wakeRelay: (entry) => bestEffort("wake-up lost; the sweeper sends another", () => outbox.send(entry)),
    wakeLinks: linkWaker(sqs, linksUrl),
  });
}

/** A wake-up is not worth waiting for: the sweeper sends another. */
export const wakingClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 2, requestHandler: { connectionTimeout: 500, socketTimeout: 1_000 } });

/** Has look-ups made at once: somebody they may wait for has appeared. */
export function linkWaker(sqs: SQSClient, url: string): (entries: readonly LinkEntry[]) => Promise<void> {
  const links = sqsQueue<LinkEntry>(sqs, url);
  return async (entries) => {
    await Promise.all(
      entries.map((entry) => bestEffort("look-up not woken; the clock finds it", () => links.send(entry))),
    );
  };
}
