import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from "@aws-sdk/client-sqs";
import type { Outcome } from "../functions/pool";
import type { EventSourceModel } from "../template/model";
import { doneMessages, sqsEvent } from "./batch";

export interface SourceDependencies {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  invoke(functionArn: string, event: unknown): Promise<Outcome>;
}

export interface RunningSource {
  /** Stops taking messages and waits a little for the batches under way; what is not done then comes again. */
  stop(): Promise<void>;
}

/** What SQS hands out at a time, and what it waits at most. */
const RECEIVE_MAX = 10;
const WAIT_SECONDS = 20;
/** Batches under way at a time; AWS begins with five, two cores are busy with fewer. */
const CONCURRENCY = 3;
/** How long the batches under way may take when the run ends. */
const STOP_MS = 2000;

/**
 * Plays an event source mapping: collects batches up to the batch size or the batching window, calls the function,
 * deletes what is done. What is not becomes visible again when its visibility timeout ends, as on AWS.
 */
export function startSource(
  source: EventSourceModel,
  { sqs, queueUrl, invoke }: SourceDependencies,
): RunningSource {
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  const limit = Math.min(source.maxConcurrency ?? CONCURRENCY, CONCURRENCY);

  async function receive(count: number, waitSeconds: number): Promise<Message[]> {
    const received = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: Math.min(RECEIVE_MAX, count),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ["All"],
        MessageAttributeNames: ["All"],
      }),
      { abortSignal: stopping.signal },
    );
    return received.Messages ?? [];
  }

  async function gather(): Promise<Message[]> {
    const batch = await receive(source.batchSize, WAIT_SECONDS);
    if (batch.length === 0) return batch;
    const windowEnd = Date.now() + source.windowMs;
    while (batch.length < source.batchSize && !stopping.signal.aborted) {
      const left = Math.max(0, windowEnd - Date.now());
      const more = await receive(source.batchSize - batch.length, left / 1000).catch(() => []);
      batch.push(...more);
      if (more.length === 0 && Date.now() >= windowEnd) break;
    }
    return batch;
  }

  async function work(batch: readonly Message[]): Promise<void> {
    const outcome = await invoke(source.functionArn, sqsEvent(batch, source.queueArn));
    const done = doneMessages(batch, outcome, source.reportsFailures);
    for (let at = 0; at < done.length; at += RECEIVE_MAX) {
      const entries = done.slice(at, at + RECEIVE_MAX);
      await sqs.send(
        new DeleteMessageBatchCommand({
          QueueUrl: queueUrl,
          Entries: entries.map((message, index) => ({
            Id: String(index),
            ReceiptHandle: message.ReceiptHandle ?? "",
          })),
        }),
      );
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const batch = await gather().catch(() => []);
      if (batch.length === 0) continue;
      const working = work(batch).catch(() => {}); // the messages come again
      underWay.add(working);
      void working.then(() => underWay.delete(working));
      if (underWay.size >= limit) await Promise.race(underWay);
    }
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      let timer: NodeJS.Timeout | undefined;
      const patience = new Promise((resolve) => {
        timer = setTimeout(resolve, STOP_MS);
      });
      await Promise.race([Promise.all(underWay), patience]);
      clearTimeout(timer);
    },
  };
}
