import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { FunctionModel } from "../template/model";
import type {
  InvocationError,
  InvocationMessage,
  ReadyMessage,
  ReplyMessage,
  WorkerSettings,
} from "./protocol";

/** How an invocation ended: with the function's result, or with the error Lambda would report. */
export type Outcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly error: InvocationError };

export interface FunctionPool {
  /** Never rejects. */
  invoke(event: unknown): Promise<Outcome>;
  close(): Promise<void>;
}

export interface PoolOptions {
  /** The whole environment of the function; nothing of this process's own shines through. */
  readonly environment: Readonly<Record<string, string>>;
  /** Threads at most; they start when they are needed. */
  readonly maxWorkers: number;
  /** Invocations that may be under way in one thread at a time. In Lambda it is one; see the README. */
  readonly perWorker: number;
  /** Takes what the function writes to its outputs, line by line. */
  onOutput(line: string): void;
}

interface Flight {
  readonly id: string;
  settle(outcome: Outcome): void;
}

/** A thread with the invocations under way in it. */
interface Seat {
  readonly worker: Worker;
  readonly flights: Map<string, Flight>;
  /** Settled when its function is loaded. */
  readonly ready: Promise<unknown>;
}

/** Loading a function does not count against its timeout; it has, as in Lambda, ten seconds of its own. */
const LOADING_MS = 10_000;

const RUNTIME = join(process.cwd(), "infra/local/functions/runtime.ts");

/**
 * Runs one function in worker threads of its own. A thread that crashes fails what is under way in it; a thread in
 * which an invocation ran out of time takes no more. Either way the next invocation finds a fresh one.
 */
export function openPool(fn: FunctionModel, options: PoolOptions): FunctionPool {
  const seats = new Set<Seat>();
  const waiting: (() => void)[] = [];
  let closed = false;

  function seat(): Seat | undefined {
    const free = [...seats].filter((one) => one.flights.size < options.perWorker);
    const idle = free.find((one) => one.flights.size === 0);
    if (idle) return idle;
    if (seats.size < options.maxWorkers) return open();
    return free.sort((a, b) => a.flights.size - b.flights.size)[0];
  }

  function open(): Seat {
    const workerData: WorkerSettings = {
      codeDir: fn.codeDir,
      handler: fn.handler,
      functionName: fn.name,
      functionArn: fn.arn,
      memoryMb: fn.memoryMb,
    };
    const worker = new Worker(RUNTIME, {
      workerData,
      env: { ...options.environment },
      execArgv: [],
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: fn.memoryMb },
    });
    const ready = new Promise((resolve) => worker.once("message", resolve));
    const opened: Seat = { worker, flights: new Map(), ready };
    seats.add(opened);
    eachLine(worker.stdout, options.onOutput);
    eachLine(worker.stderr, options.onOutput);
    worker.on("message", (reply: ReplyMessage | ReadyMessage) => {
      if ("ready" in reply) return;
      const outcome: Outcome =
        "error" in reply
          ? { ok: false, error: reply.error }
          : { ok: true, payload: JSON.parse(reply.payload) };
      finish(opened, reply.id, outcome);
    });
    const crashed = (error: InvocationError) => {
      seats.delete(opened);
      for (const id of [...opened.flights.keys()]) finish(opened, id, { ok: false, error });
    };
    worker.on("error", (error: Error) => crashed({ errorType: error.name, errorMessage: error.message }));
    worker.on("exit", (code) =>
      crashed({
        errorType: "Runtime.ExitError",
        errorMessage: `Runtime exited with error: exit status ${code}`,
      }),
    );
    worker.unref();
    return opened;
  }

  function finish(at: Seat, id: string, outcome: Outcome): void {
    const flight = at.flights.get(id);
    at.flights.delete(id);
    flight?.settle(outcome);
    if (!seats.has(at) && at.flights.size === 0) void at.worker.terminate();
    waiting.shift()?.();
  }

  function begin(event: string, settle: (outcome: Outcome) => void): void {
    if (closed) {
      settle({ ok: false, error: { errorType: "Closed", errorMessage: "The local run has ended." } });
      return;
    }
    const at = seat();
    if (!at) {
      waiting.push(() => begin(event, settle));
      return;
    }
    const id = randomUUID();
    const giveUp = () => {
      seats.delete(at); // what else is under way in it may finish; nothing new begins in it
      const seconds = (fn.timeoutMs / 1000).toFixed(2);
      finish(at, id, {
        ok: false,
        error: {
          errorType: "Sandbox.Timedout",
          errorMessage: `RequestId: ${id} Error: Task timed out after ${seconds} seconds`,
        },
      });
    };
    let timer = setTimeout(giveUp, LOADING_MS);
    at.flights.set(id, {
      id,
      settle(outcome) {
        clearTimeout(timer);
        settle(outcome);
      },
    });
    void at.ready.then(() => {
      if (!at.flights.has(id)) return;
      clearTimeout(timer);
      timer = setTimeout(giveUp, fn.timeoutMs);
      const message: InvocationMessage = { id, event, deadline: Date.now() + fn.timeoutMs };
      at.worker.postMessage(message);
    });
  }

  return {
    invoke: (event) => new Promise((settle) => begin(JSON.stringify(event), settle)),
    async close() {
      closed = true;
      const open = [...seats];
      seats.clear();
      await Promise.all(open.map((one) => one.worker.terminate()));
      for (const wake of waiting.splice(0)) wake();
    },
  };
}

function eachLine(stream: NodeJS.ReadableStream, take: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
}
