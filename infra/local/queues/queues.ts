import { SQSClient } from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";
import type { QueueModel } from "../template/model";

/** The service's queues, in memory: what waits in them is gone with the run. The sweeper makes that harmless. */
export interface Queues {
  readonly url: string;
  readonly sqs: SQSClient;
  /** Puts a message on a queue, as a rule of the event bus does. */
  send(queueArn: string, body: string): void;
  close(): Promise<void>;
}

/** Starts SQS with every queue of the template: delays, visibility, retention, redrive to the dead-letter queue. */
export async function openQueues(queues: readonly QueueModel[], region: string): Promise<Queues> {
  const server = await startFauxqs({ port: 0, logger: false, host: "127.0.0.1", defaultRegion: region });
  // A redrive policy may name a queue that comes later in the template.
  const [plain, redriven] = [false, true].map((wanted) =>
    queues.filter((queue) => (queue.attributes.RedrivePolicy !== undefined) === wanted),
  );
  for (const queue of [...(plain ?? []), ...(redriven ?? [])]) {
    server.createQueue(queue.name, { region, attributes: { ...queue.attributes } });
  }
  const sqs = new SQSClient({
    endpoint: server.address,
    region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
    useQueueUrlAsEndpoint: false,
  });
  return {
    url: server.address,
    sqs,
    send: (queueArn, body) => void server.sendMessage(queueArn.split(":").at(-1) ?? "", body, { region }),
    async close() {
      sqs.destroy();
      await server.stop();
    },
  };
}
