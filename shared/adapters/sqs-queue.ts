import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Queue } from "../ports/queue";

/** A queue of JSON messages on SQS. */
export function sqsQueue<Message>(sqs: SQSClient, url: string): Queue<Message> {
  return {
    async send(message, delaySeconds) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: url,
          MessageBody: toBody(message),
          ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}

/** JSON, in which the two characters that SQS refuses are escaped; JSON escapes the others by itself. */
const toBody = (message: unknown): string =>
  JSON.stringify(message).replace(/[\ufffe\uffff]/g, (character) =>
    character === "\ufffe" ? "\\ufffe" : "\\uffff",
  );
