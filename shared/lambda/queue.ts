import middy from "@middy/core";
import type { SQSBatchResponse, SQSEvent } from "aws-lambda";
import { log } from "./log";

/** One message of a batch, its body parsed from JSON but not yet validated. */
export interface QueueMessage {
  readonly id: string;
  readonly body: unknown;
  readonly receiveCount: number;
}

/**
 * The factory every queue worker is built with. `work` answers the ids of the messages to try again; when it throws,
 * all of them are. The queue redelivers those alone (partial batch failure).
 */
export function queueFunction(work: (messages: readonly QueueMessage[]) => Promise<readonly string[]>) {
  return middy<SQSEvent, SQSBatchResponse>({ timeoutEarlyInMillis: 0 }).handler(async (event: SQSEvent) => {
    const messages = event.Records.map((record) => ({
      id: record.messageId,
      body: parse(record.body),
      receiveCount: Number(record.attributes.ApproximateReceiveCount),
    }));
    let failed: readonly string[];
    try {
      failed = await work(messages);
    } catch (error) {
      log.error("batch failed", {
        error: error as Error,
        messages: messages.length,
      });
      failed = messages.map((message) => message.id);
    }
    return {
      batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })),
    };
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
