import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { Outcome } from "../functions/pool";

/** The event Lambda makes of a batch of SQS messages. */
export function sqsEvent(messages: readonly Message[], queueArn: string) {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId ?? "",
      receiptHandle: message.ReceiptHandle ?? "",
      body: message.Body ?? "",
      attributes: message.Attributes ?? {},
      messageAttributes: Object.fromEntries(
        Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)]),
      ),
      md5OfBody: message.MD5OfBody ?? "",
      eventSource: "aws:sqs",
      eventSourceARN: queueArn,
      awsRegion: queueArn.split(":")[3] ?? "",
    })),
  };
}

const attribute = (value: MessageAttributeValue) => ({
  ...(value.StringValue === undefined ? {} : { stringValue: value.StringValue }),
  ...(value.BinaryValue === undefined
    ? {}
    : { binaryValue: Buffer.from(value.BinaryValue).toString("base64") }),
  stringListValues: [],
  binaryListValues: [],
  dataType: value.DataType ?? "String",
});

/**
 * The messages that are done and are to be deleted. An error fails the whole batch. With ReportBatchItemFailures the
 * answer names the failed ones; an answer of the wrong form, or one that names a message not in the batch, fails all.
 */
export function doneMessages(
  messages: readonly Message[],
  outcome: Outcome,
  reportsFailures: boolean,
): readonly Message[] {
  if (!outcome.ok) return [];
  if (!reportsFailures || outcome.payload === null) return messages;
  if (typeof outcome.payload !== "object") return [];
  const { batchItemFailures = [] } = outcome.payload as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return messages;
  if (!Array.isArray(batchItemFailures)) return [];
  const failed = new Set(
    batchItemFailures.map((failure: { itemIdentifier?: unknown } | null) => failure?.itemIdentifier),
  );
  const ids = new Set<unknown>(messages.map((message) => message.MessageId));
  if ([...failed].some((id) => !ids.has(id))) return [];
  return messages.filter((message) => !failed.has(message.MessageId));
}
