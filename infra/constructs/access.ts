import type { EventBus } from "aws-cdk-lib/aws-events";
import { PolicyStatement } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { DUE_INDEX, TABLES, type TableId, tableEnv } from "../../shared/storage/tables";
import { type DynamoAction, type FunctionSpec, type QueueId, queueEnv, type SecretAction } from "../manifest";
import type { Tables } from "./tables";
import type { WorkQueue } from "./work-queue";

/** What functions may be given access to. */
export interface Resources {
  readonly tables: Tables;
  readonly queues: Readonly<Record<QueueId, WorkQueue>>;
  readonly bus: EventBus;
  /** Seals secrets. */
  readonly secretsKey: Key;
}

const KMS_ACTIONS: Readonly<Record<SecretAction, string>> = { seal: "kms:Encrypt", open: "kms:Decrypt" };

/** The variables a function's entry in the manifest gives it: the names of what it may touch, and its settings. */
export function environmentOf(
  spec: FunctionSpec,
  { tables, queues, bus, secretsKey }: Resources,
): Record<string, string> {
  return {
    ...Object.fromEntries(tableGrants(spec).map(([id]) => [tableEnv(id), tables[id].tableName])),
    ...Object.fromEntries((spec.sendsTo ?? []).map((id) => [queueEnv(id), queues[id].queue.queueUrl])),
    ...(spec.publishes ? { EVENT_BUS_NAME: bus.eventBusName } : {}),
    ...(spec.secrets ? { SECRETS_KEY_ID: secretsKey.keyId } : {}),
    ...spec.settings,
  };
}

/** The statements of its role: exactly what its entry names, on exactly those resources. */
export function statementsOf(
  spec: FunctionSpec,
  { tables, queues, bus, secretsKey }: Resources,
): PolicyStatement[] {
  const statements = tableGrants(spec).flatMap(([id, actions]) => tableStatements(tables, id, actions));
  if (spec.sendsTo?.length) {
    statements.push(allow(["sqs:SendMessage"], ...spec.sendsTo.map((id) => queues[id].queue.queueArn)));
  }
  if (spec.worksOff) {
    statements.push(
      allow(
        ["sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"],
        queues[spec.worksOff].queue.queueArn,
      ),
    );
  }
  if (spec.publishes) statements.push(allow(["events:PutEvents"], bus.eventBusArn));
  if (spec.secrets?.length) {
    statements.push(
      allow(
        spec.secrets.map((action) => KMS_ACTIONS[action]),
        secretsKey.keyArn,
      ),
    );
  }
  return statements;
}

function tableStatements(tables: Tables, id: TableId, actions: readonly DynamoAction[]): PolicyStatement[] {
  const { tableArn } = tables[id];
  const onTable = allow(
    actions.map((action) => `dynamodb:${action}`),
    tableArn,
  );
  const readsIndex = TABLES[id].dueIndex && actions.includes("Query");
  return readsIndex ? [onTable, allow(["dynamodb:Query"], `${tableArn}/index/${DUE_INDEX}`)] : [onTable];
}

const tableGrants = (spec: FunctionSpec): [TableId, readonly DynamoAction[]][] =>
  Object.entries(spec.tables ?? {}) as [TableId, readonly DynamoAction[]][];

const allow = (actions: string[], ...resources: string[]): PolicyStatement =>
  new PolicyStatement({ actions, resources });
