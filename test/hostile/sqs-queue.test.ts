import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { mockClient } from "aws-sdk-client-mock";
import fc from "fast-check";
import { sqsQueue } from "../../shared/adapters/sqs-queue";

/** What SQS takes in a message; one other character, and the whole message is refused. */
const TAKEN = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

test("any text travels through a queue: none of it makes SQS refuse the message", async () => {
  const sqs = mockClient(SQSClient);
  const queue = sqsQueue<{ text: string }>(new SQSClient({ region: "eu-west-1" }), "https://queue.test/1/q");
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\ufffe", "a\uffffb", "\u0000", "\ud800", "\\uffff", '"\ufffe\\'),
  );
  await fc.assert(
    fc.asyncProperty(text, async (said) => {
      sqs.reset();
      await queue.send({ text: said });
      const body = sqs.commandCalls(SendMessageCommand)[0]?.args[0].input.MessageBody ?? "";
      expect(body).toMatch(TAKEN);
      expect(JSON.parse(body)).toEqual({ text: said });
    }),
  );
});
