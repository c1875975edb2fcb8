import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { KMSClient } from "@aws-sdk/client-kms";
import { kmsSecretBox } from "../../shared/adapters/kms-secret-box";
import type { SecretBox } from "../../shared/ports/secret-box";
import { openBus } from "./aws/bus";
import { openAwsEndpoint } from "./aws/endpoint";
import { openKms } from "./aws/kms";
import { type EngineKind, engineClientConfig, LOCAL_REGION, startDynamo } from "./engine/engine";
import { ensureTables } from "./engine/tables";
import { LocalFailure, messageOf } from "./failure";
import { type Functions, openFunctions } from "./functions/functions";
import type { Outcome } from "./functions/pool";
import { type LocalPages, openGateway } from "./gateway/gateway";
import { holdDataDir } from "./lock";
import { type LogBook, openLogs } from "./logs";
import { openQueues } from "./queues/queues";
import { startSource } from "./queues/source";
import { startSchedules } from "./schedules/schedules";
import { type Place, queueUrl } from "./template/addresses";
import { missingGrants } from "./template/grants";
import type { ServiceModel } from "./template/model";
import { readTemplate } from "./template/read";
import { tableNames } from "./template/table-names";

export interface LocalOptions {
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** Where tables and logs are kept; without it everything is in memory. */
  readonly dataDir?: string;
  readonly templateFile?: string;
  /** Overrides of settings, for the functions whose template names them. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How often what runs every minute is called instead; see SWEEP_SECONDS. */
  readonly sweepMs?: number;
  /** Schedules begin when this is fulfilled; without it they begin at once. */
  readonly schedulesAfter?: Promise<unknown>;
  readonly pages?: LocalPages;
  readonly engine?: EngineKind;
  readonly dynamoEndpoint?: string;
  /** Hears in one line of what goes wrong while it runs. Silent by default. */
  readonly report?: (line: string) => void;
}

/** The whole service, running. */
export interface LocalService {
  /** Origin of the HTTP API, such as `http://localhost:8787`. */
  readonly baseUrl: string;
  /** The endpoint that stands for AWS; with the access key `local` everything is allowed. */
  readonly awsUrl: string;
  readonly region: string;
  /** The DynamoDB behind it. */
  readonly dynamoUrl: string;
  /** Settles when that has ended, which without {@link close} is the end of everything. */
  readonly dynamoEnded: Promise<unknown>;
  /** Seals and opens as the functions do, with the template's first key of KMS. */
  readonly secrets: SecretBox;
  /** Physical names by table id (`Config`, `Facts`, ...). */
  readonly tables: Readonly<Record<string, string>>;
  readonly model: ServiceModel;
  /** Calls a function by its logical id, as `sam local invoke` does. */
  invoke(logicalId: string, event: unknown): Promise<Outcome>;
  /** Ends everything it started. */
  close(): Promise<void>;
}

export const TEMPLATE_FILE = ".build/cdk.out/AttributionAnalytics.template.json";

/**
 * Boots the service from its synthesised template: tables, queues, functions, routes, schedules and the event bus are
 * what the template says they are.
 * @throws LocalFailure, after ending what was started, for a taken port or data directory, a broken database, or a
 * template that would not work
 */
export async function startLocal(options: LocalOptions = {}): Promise<LocalService> {
  const closers: (() => unknown)[] = [];
  const closing = <Resource extends { close(): unknown }>(resource: Resource): Resource => {
    closers.unshift(() => resource.close());
    return resource;
  };
  const close = async () => {
    for (const closer of closers.splice(0)) await closer();
  };
  try {
    return await start(options, closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

type Closing = <Resource extends { close(): unknown }>(resource: Resource) => Resource;

async function start(
  options: LocalOptions,
  closing: Closing,
  close: () => Promise<void>,
): Promise<LocalService> {
  const { dataDir, report = () => {} } = options;
  const gateway = closing(await openGateway(options.port ?? 0));
  if (dataDir) {
    makeDirectory(dataDir);
    const lock = holdDataDir(dataDir);
    closing({ close: () => lock.release() });
  }
  const endpoint = closing(await openAwsEndpoint());
  const place: Place = { region: LOCAL_REGION, baseUrl: gateway.url, awsUrl: endpoint.url };
  const model = readTemplate(resolve(options.templateFile ?? TEMPLATE_FILE), place);
  sayWhatIsMissing(model, report);

  const queues = closing(await openQueues(model.queues, place.region));
  const dynamo = closing(await openDynamo(model, options));
  const logs = closing(openLogs(dataDir, report));
  const functions = closing(openFunctions(functionsOptions(model, place, options, logs)));
  const bus = openBus({
    rules: model.rules,
    region: place.region,
    now: Date.now,
    deliver: (target, event) =>
      target.includes(":sqs:")
        ? queues.send(target, JSON.stringify(event))
        : functions.invokeLater(target, event),
  });
  endpoint.serve({
    region: place.region,
    functions: model.functions,
    dynamoUrl: dynamo.endpoint,
    sqsUrl: queues.url,
    putEvents: bus.putEvents,
    kms: openKms(model.keys, dataDir).answer,
    onDenied: report,
  });
  const kms = new KMSClient(engineClientConfig(endpoint.url));
  closing({ close: () => kms.destroy() });
  const { invoke } = functions;
  startQueueWorkers(model, place, functions, queues.sqs, closing);
  const schedules = startSchedules({ ...options, schedules: model.schedules, now: Date.now, invoke });
  closing({ close: () => schedules.stop() });
  gateway.serve({ ...options, routes: model.routes, pages: options.pages ?? {}, invoke });

  const tables = tableNames(model);
  if (dataDir) writeEndpointFile(dataDir, { dynamodb: dynamo.endpoint, aws: endpoint.url, tables });
  return {
    baseUrl: gateway.url,
    awsUrl: endpoint.url,
    region: place.region,
    dynamoUrl: dynamo.endpoint,
    dynamoEnded: dynamo.ended,
    secrets: kmsSecretBox(kms, model.keys[0]?.name ?? "", Date.now),
    tables,
    model,
    invoke,
    close,
  };
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    throw new LocalFailure(`The data directory ${path} cannot be made: ${messageOf(error)}.`);
  }
}

function sayWhatIsMissing(model: ServiceModel, report: (line: string) => void): void {
  const [missing] = missingGrants(model);
  if (missing) throw new LocalFailure(`The template would not work on AWS: ${missing}`);
  for (const { logicalId, type } of model.unplayed) {
    report(`The template has ${logicalId} (${type}), which the local run does not play.`);
  }
}

async function openDynamo(model: ServiceModel, { dataDir, engine, dynamoEndpoint }: LocalOptions) {
  const dynamo = await startDynamo({
    ...(dataDir === undefined ? {} : { file: join(dataDir, "dynamo.db") }),
    ...(engine === undefined ? {} : { kind: engine }),
    ...(dynamoEndpoint === undefined ? {} : { endpoint: dynamoEndpoint }),
  });
  const client = new DynamoDBClient(engineClientConfig(dynamo.endpoint));
  try {
    await ensureTables(client, model.tables);
  } catch (error) {
    await dynamo.close();
    throw error;
  } finally {
    client.destroy();
  }
  return dynamo;
}

const functionsOptions = (model: ServiceModel, place: Place, options: LocalOptions, logs: LogBook) => ({
  functions: model.functions,
  place,
  settings: options.settings ?? {},
  onOutput: logs.output,
  onFailure: logs.failure,
});

function startQueueWorkers(
  model: ServiceModel,
  place: Place,
  { invoke }: Functions,
  sqs: Awaited<ReturnType<typeof openQueues>>["sqs"],
  closing: Closing,
): void {
  for (const source of model.sources) {
    const name = source.queueArn.split(":").at(-1) ?? "";
    const running = startSource(source, { sqs, queueUrl: queueUrl(place, name), invoke });
    closing({ close: () => running.stop() });
  }
}

/** Lets `npm run admin` find the tables of this run, and AWS tools its endpoint. */
function writeEndpointFile(dataDir: string, endpoints: object): void {
  writeFileSync(join(dataDir, "endpoint.json"), `${JSON.stringify(endpoints, null, 2)}\n`);
}
