import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { engineClientConfig } from "../../infra/local/engine/engine";
import type { LocalPages } from "../../infra/local/gateway/gateway";
import { type Demo, seed } from "../../infra/local/seed";
import { type LocalOptions, type LocalService, startLocal, TEMPLATE_FILE } from "../../infra/local/service";
import { createDynamo, type Dynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";

/** The product as `npm start` runs it, empty but for the demo's workspace, shop, key and webhooks. */
export interface Running extends Pick<LocalService, "baseUrl" | "awsUrl" | "region"> {
  readonly demo: Demo;
  readonly dynamo: Dynamo;
  readonly tables: Readonly<Record<TableId, string>>;
  /** What this machine serves beside the service; filled by tests. */
  readonly pages: Record<string, LocalPages[string]>;
  /** What somebody who listens on the event bus has heard since the last call; waits up to `seconds` for the first. */
  heard(seconds: number): Promise<BusEvent[]>;
  close(): Promise<void>;
}

interface BusEvent {
  readonly "detail-type": string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export async function startService(
  options: Pick<LocalOptions, "settings" | "sweepMs"> = {},
): Promise<Running> {
  const directory = mkdtempSync(join(tmpdir(), "e2e-"));
  const pages: Record<string, LocalPages[string]> = {};
  const templateFile = withListener(directory);
  const service = await startLocal({
    dataDir: join(directory, "data"),
    templateFile,
    pages,
    ...options,
  });
  const tables = service.tables as Record<TableId, string>;
  const sqs = new SQSClient({
    endpoint: service.awsUrl,
    region: service.region,
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  const dynamo = createDynamo(engineClientConfig(service.dynamoUrl));
  const demo = await seed({ ...service, dynamo, tables, demo: true });
  return {
    ...service,
    demo,
    dynamo,
    tables,
    pages,
    async heard(seconds) {
      const QueueUrl = `${service.awsUrl}/000000000000/${LISTENER}`;
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: seconds, MaxNumberOfMessages: 10 }),
      );
      for (const { ReceiptHandle } of Messages) {
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
      }
      return Messages.map(({ Body = "" }) => JSON.parse(Body) as BusEvent);
    },
    async close() {
      sqs.destroy();
      dynamo.destroy();
      await service.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const LISTENER = "listener";

/** The synthesised template with a queue that listens on the event bus, as somebody who deploys the service may add. */
function withListener(directory: string): string {
  const template = JSON.parse(readFileSync(TEMPLATE_FILE, "utf8"));
  for (const resource of Object.values<{ Metadata?: Record<string, string> }>(template.Resources)) {
    const path = resource.Metadata?.["aws:asset:path"];
    if (resource.Metadata && path)
      resource.Metadata["aws:asset:path"] = resolve(dirname(TEMPLATE_FILE), path);
  }
  template.Resources.Listener = { Type: "AWS::SQS::Queue", Properties: { QueueName: LISTENER } };
  template.Resources.ListenerRule = {
    Type: "AWS::Events::Rule",
    Properties: {
      EventBusName: { Ref: "EventBus" },
      EventPattern: { source: ["attribution-analytics"] },
      State: "ENABLED",
      Targets: [{ Id: "Listener", Arn: { "Fn::GetAtt": ["Listener", "Arn"] } }],
    },
  };
  const file = join(directory, "listened.template.json");
  writeFileSync(file, JSON.stringify(template));
  return file;
}
