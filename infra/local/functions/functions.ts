import { LocalFailure } from "../failure";
import type { FunctionModel } from "../template/model";
import { environmentOf } from "./environment";
import { type FunctionPool, type Outcome, openPool } from "./pool";

/** All functions of the service, called by their ARN, or by logical id as `sam local invoke` does. */
export interface Functions {
  /** Waits for the answer. Never rejects for what the function does. */
  invoke(arnOrLogicalId: string, event: unknown): Promise<Outcome>;
  /** Does not wait; calls again twice after an error, as Lambda does with asynchronous events. */
  invokeLater(arn: string, event: unknown): void;
  close(): Promise<void>;
}

export interface FunctionsOptions {
  readonly functions: readonly FunctionModel[];
  readonly place: { readonly region: string; readonly awsUrl: string };
  readonly settings: Readonly<Record<string, string>>;
  onOutput(fn: FunctionModel, line: string): void;
  onFailure(fn: FunctionModel, message: string): void;
}

/** Threads per function, and invocations under way in each. Measured; see README. */
const MAX_WORKERS = 2;
const PER_WORKER = 32;
/** Lambda's waits before the second and the third try of an asynchronous event. */
const RETRY_MS = [60_000, 120_000];

export function openFunctions(options: FunctionsOptions): Functions {
  const byAddress = new Map<string, FunctionModel>();
  for (const fn of options.functions) byAddress.set(fn.arn, fn).set(fn.logicalId, fn);
  const pools = new Map<FunctionModel, FunctionPool>();
  const retries = new Set<NodeJS.Timeout>();
  let closed = false;

  function find(address: string): FunctionModel {
    const fn = byAddress.get(address);
    if (!fn) throw new LocalFailure(`The template has no function ${address}.`);
    return fn;
  }

  function poolOf(fn: FunctionModel): FunctionPool {
    const existing = pools.get(fn);
    if (existing) return existing;
    const pool = openPool(fn, {
      environment: environmentOf(fn, options.place, options.settings),
      maxWorkers: MAX_WORKERS,
      perWorker: PER_WORKER,
      onOutput: (line) => options.onOutput(fn, line),
    });
    pools.set(fn, pool);
    return pool;
  }

  async function invoke(address: string, event: unknown): Promise<Outcome> {
    const fn = find(address);
    const outcome = await poolOf(fn).invoke(event);
    // What is cut short by the end of the run has not failed.
    if (!outcome.ok && !closed)
      options.onFailure(fn, `${outcome.error.errorType}: ${outcome.error.errorMessage}`);
    return outcome;
  }

  async function attempt(arn: string, event: unknown, waits: readonly number[]): Promise<void> {
    const outcome = await invoke(arn, event);
    const [wait, ...rest] = waits;
    if (outcome.ok || wait === undefined) return;
    const timer = setTimeout(() => {
      retries.delete(timer);
      void attempt(arn, event, rest);
    }, wait);
    retries.add(timer);
  }

  return {
    invoke,
    invokeLater: (arn, event) => void attempt(arn, event, RETRY_MS),
    async close() {
      closed = true;
      for (const timer of retries) clearTimeout(timer);
      await Promise.all([...pools.values()].map((pool) => pool.close()));
    },
  };
}
