import { DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import { ReceiveMessageCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { engineClientConfig } from "../../infra/local/engine/engine";
import { type LocalOptions, type LocalService, startLocal } from "../../infra/local/service";
import { synthesiseFixture } from "./fixture/stack";

/** The fixture service, running, with what tests ask of it. */
export interface Running extends LocalService {
  /** The physical name of a table, queue or bus whose construct is called `id` in the fixture. */
  named(id: string): string;
  /** Events the functions kept under a key, oldest first as far as it is known. */
  seen(key: string): Promise<SeenEvent[]>;
  send(queue: string, body: string, delaySeconds?: number): Promise<void>;
  receive(queue: string): Promise<string[]>;
}

// biome-ignore lint/suspicious/noExplicitAny: events of any form, looked into by the tests
export type SeenEvent = any;

export async function startFixture(options: LocalOptions = {}): Promise<Running> {
  const fixture = synthesiseFixture();
  const service = await startLocal({ templateFile: fixture.templateFile, ...options });
  const dynamo = new DynamoDBClient(engineClientConfig(service.dynamoUrl));
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const sqs = new SQSClient({ endpoint: service.awsUrl, region: service.region, credentials });
  const { tables, queues, buses, functions, keys } = service.model;
  const named = (id: string): string => {
    const logicalId = new RegExp(`^${id}[0-9A-F]{8}$`);
    const all = [...tables, ...queues, ...functions, ...keys].find((one) =>
      logicalId.test(one.logicalId),
    )?.name;
    return all ?? buses.find((bus) => bus.name.includes(id))?.name ?? id;
  };
  const url = (id: string) => `${service.awsUrl}/000000000000/${named(id)}`;
  return {
    ...service,
    named,
    invoke: (id, event) => service.invoke(named(id), event),
    async seen(key) {
      const found = await dynamo.send(
        new QueryCommand({
          TableName: named("Seen"),
          KeyConditionExpression: "pk = :key",
          ExpressionAttributeValues: { ":key": { S: key } },
          ConsistentRead: true,
        }),
      );
      return (found.Items ?? [])
        .sort((a, b) => Number(a.at?.N) - Number(b.at?.N))
        .map((item) => JSON.parse(item.event?.S ?? "null"));
    },
    async send(queue, body, delaySeconds) {
      await sqs.send(
        new SendMessageCommand({
          QueueUrl: url(queue),
          MessageBody: body,
          ...(delaySeconds === undefined ? {} : { DelaySeconds: delaySeconds }),
        }),
      );
    },
    async receive(queue) {
      const received = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl: url(queue), WaitTimeSeconds: 10, MaxNumberOfMessages: 10 }),
      );
      return (received.Messages ?? []).map((message) => message.Body ?? "");
    },
    async close() {
      dynamo.destroy();
      sqs.destroy();
      await service.close();
      fixture.remove();
    },
  };
}

/** Waits for something another thread or a timer brings about; the test's own time limit ends it. */
export async function eventually<Value>(look: () => Promise<Value | undefined | false>): Promise<Value> {
  for (;;) {
    const found = await look();
    if (found) return found;
    await new Promise((wake) => setTimeout(wake, 10));
  }
}
