import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { AWS_CLIENT } from "../../shared/adapters/aws-client";
import { createDynamo } from "../../shared/storage/dynamo";

const servers: Server[] = [];
afterAll(() => servers.map((server) => server.close().closeAllConnections()));

/** A service that leaves its first caller hanging as `hang` does and answers the next; where it listens. */
async function hangingOnce(hang: (response: ServerResponse) => void, body: string) {
  let calls = 0;
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/x-amz-json-1.0");
    if (++calls === 1) hang(response);
    else response.end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: "eu-west-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
}

const silent = () => {};
const halfWay = (response: ServerResponse) => {
  response.setHeader("content-length", "1000");
  response.write('{"Item":');
};

test.each([
  ["never answers", silent],
  ["stops in the middle of its answer", halfWay],
])("a read from a table that %s is sent again, long before a function's time is over", async (_, hang) => {
  const dynamo = createDynamo(await hangingOnce(hang, '{"Item":{"pk":{"S":"found"}}}'));
  const before = performance.now();
  const { Item } = await dynamo.send(new GetCommand({ TableName: "T", Key: { pk: "a", sk: "b" } }));
  expect(Item).toEqual({ pk: "found" });
  expect(performance.now() - before).toBeLessThan(5_000);
});

const ANSWER = '{"MessageId":"1","MD5OfMessageBody":"9dd4e461268c8034f5c8564e155c67a6"}';

test("a message to a queue that never answers is sent again", async () => {
  const sqs = new SQSClient({ ...AWS_CLIENT, ...(await hangingOnce(silent, ANSWER)) });
  const before = performance.now();
  const sent = await sqs.send(
    new SendMessageCommand({ QueueUrl: "http://queue.test/1/q", MessageBody: "x" }),
  );
  expect(sent.MessageId).toBe("1");
  expect(performance.now() - before).toBeLessThan(5_000);
});
