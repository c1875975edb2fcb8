import { SendMessageCommand, type SQSClient } from "@aws-sdk/client-sqs";
import type { Queue } from "../ports/queue";

/** A queue of JSON messages on SQS. */
export function sqsQueue<Message>(sqs: SQSClient, url: string): Queue<Message> {
  return {
    async send(message, delaySeconds) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: url,
          MessageBody: JSON.stringify(message),
          ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
        }),
      );
    },
  };
}
