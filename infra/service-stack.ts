import { join } from "node:path";
import { type CfnElement, CfnOutput, Stack, type StackProps } from "aws-cdk-lib";
import { EventBus } from "aws-cdk-lib/aws-events";
import type { Construct } from "constructs";
import { Alarms } from "./constructs/alarms";
import { HttpApi } from "./constructs/http-api";
import { readableLogicalId } from "./constructs/logical-id";
import { callEvery } from "./constructs/schedule";
import { createSecretsKey } from "./constructs/secrets-key";
import { ServiceFunction } from "./constructs/service-function";
import { createTables } from "./constructs/tables";
import { WorkQueue } from "./constructs/work-queue";
import { FUNCTIONS, type FunctionId, QUEUES, type QueueId, timeoutOf, workerOf } from "./manifest";

export interface ServiceStackProps extends StackProps {
  /** Where the bundles lie, one folder per function. */
  readonly bundles: string;
  /** Whether the tables go when the stack goes. */
  readonly disposable: boolean;
}

/** The whole service: the manifest's functions between an API, queues, schedules, tables and a bus. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { bundles, disposable, ...props }: ServiceStackProps) {
    super(scope, id, props);
    // CDK has every function wait for its role, which the reference to the role does already.
    this.templateOptions.metadata = { "cfn-lint": { config: { ignore_checks: ["W3005"] } } };
    const alarms = new Alarms(this, "Alarm");
    const tables = createTables(this, disposable);
    const bus = new EventBus(this, "EventBus", { eventBusName: this.stackName });
    const queues = mapValues(QUEUES, (spec, queue: QueueId) => {
      const workerTimeoutSeconds = timeoutOf(workerOf(queue));
      return new WorkQueue(this, `${queue}Queue`, { spec, workerTimeoutSeconds, alarms });
    });
    const secretsKey = createSecretsKey(this, disposable);
    const resources = { tables, queues, bus, secretsKey };
    const functions = mapValues(FUNCTIONS, (spec, name: FunctionId) => {
      const bundle = join(bundles, name);
      return new ServiceFunction(this, `${pascal(name)}Function`, { spec, bundle, resources, alarms });
    });
    const api = new HttpApi(this, "Api", { authorizer: functions.authorizer, alarms });
    for (const [name, built] of Object.entries(functions)) {
      const { routes, worksOff, everyMinutes } = built.spec;
      if (routes) api.route(pascal(name), built);
      if (worksOff) queues[worksOff].attach(built.function);
      if (everyMinutes) callEvery(this, pascal(name), everyMinutes, built.function);
    }
    new CfnOutput(this, "BaseUrl", {
      value: api.url,
      description: "Origin of the API, the dashboard and webhook URLs",
    });
    new CfnOutput(this, "AlarmTopicArn", {
      value: alarms.topic.topicArn,
      description: "Subscribe to be woken",
    });
    for (const [name, table] of Object.entries(tables)) {
      new CfnOutput(this, `${name}TableName`, { value: table.tableName });
    }
  }

  protected override allocateLogicalId(element: CfnElement): string {
    return readableLogicalId(element);
  }
}

const pascal = (name: string): string => name[0]?.toUpperCase() + name.slice(1);

function mapValues<Key extends string, Value, Result>(
  record: Readonly<Record<Key, Value>>,
  map: (value: Value, key: Key) => Result,
): Readonly<Record<Key, Result>> {
  const entries = Object.entries(record) as [Key, Value][];
  return Object.fromEntries(entries.map(([key, value]) => [key, map(value, key)])) as Record<Key, Result>;
}
