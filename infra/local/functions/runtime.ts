import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import type {
  InvocationError,
  InvocationMessage,
  ReadyMessage,
  ReplyMessage,
  WorkerSettings,
} from "./protocol";

/**
 * Runs inside a worker thread and plays Lambda's Node runtime for one function: loads its bundle, then answers
 * invocations. Node runs this file as it is (types stripped), so it may import types and Node's own modules only.
 */
type Handler = (event: unknown, context: unknown) => unknown;

const settings = workerData as WorkerSettings;
const loaded = load();

parentPort?.postMessage({ ready: true } satisfies ReadyMessage);
parentPort?.on("message", (message: InvocationMessage) => void answer(message));

async function answer(message: InvocationMessage): Promise<void> {
  parentPort?.postMessage(await run(message));
}

async function run({ id, event, deadline }: InvocationMessage): Promise<ReplyMessage> {
  if ("error" in loaded) return { id, error: loaded.error };
  try {
    const result = await loaded.handler(JSON.parse(event), context(id, deadline));
    return { id, payload: JSON.stringify(result) ?? "null" };
  } catch (error) {
    return { id, error: describe(error) };
  }
}

function load(): { handler: Handler } | { error: InvocationError } {
  const [module = "", name = ""] = settings.handler.split(".");
  try {
    const file = [".cjs", ".js", ".mjs"].map((end) => join(settings.codeDir, module + end)).find(existsSync);
    if (!file) throw new Error(`Cannot find module '${module}' in ${settings.codeDir}`);
    const handler = createRequire(file)(file)[name];
    if (typeof handler !== "function") throw new Error(`${settings.handler} is undefined or not exported`);
    return { handler };
  } catch (error) {
    return { error: { ...describe(error), errorType: "Runtime.ImportModuleError" } };
  }
}

function context(awsRequestId: string, deadline: number) {
  const { functionName, functionArn, memoryMb } = settings;
  return {
    awsRequestId,
    functionName,
    functionVersion: "$LATEST",
    invokedFunctionArn: functionArn,
    memoryLimitInMB: String(memoryMb),
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: "local",
    callbackWaitsForEmptyEventLoop: false,
    getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()),
  };
}

function describe(error: unknown): InvocationError {
  if (!(error instanceof Error)) return { errorType: typeof error, errorMessage: String(error) };
  return { errorType: error.name, errorMessage: error.message, trace: (error.stack ?? "").split("\n") };
}
