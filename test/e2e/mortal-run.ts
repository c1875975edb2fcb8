import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { listen } from "../../infra/local/listen";
import { holdDataDir } from "../../infra/local/lock";
import type { TableId } from "../../shared/storage/tables";

/** A local run in a process that can be killed at any moment. */
export interface MortalRun {
  /** Settles when the run says that it runs; rejects with its last words when it ends before. */
  readonly ready: Promise<void>;
  /** What it has written to its outputs so far. */
  said(): string;
  /** Settles with the exit code when it has ended; null after a signal. */
  readonly ended: Promise<number | null>;
  /** SIGKILL: no goodbye. Settles when the process is gone. */
  kill(): Promise<void>;
  /** Ctrl-C. Settles when the process is gone. */
  interrupt(): Promise<void>;
}

export interface Place {
  readonly dataDir: string;
  readonly port: number;
}

export function startMortal({ dataDir, port }: Place, settings: Record<string, string>): MortalRun {
  const child = spawn(process.execPath, ["--import", "tsx", "test/e2e/fixture/run.ts"], {
    env: { PATH: process.env.PATH, TZ: "UTC", LOCAL_DATA_DIR: dataDir, PORT: String(port), ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const said = () => text;
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
  }
  const ready = untilReady(child, said);
  ready.catch(() => {}); // killed before, mostly
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const end = (signal: NodeJS.Signals) => async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await ended;
  };
  return { ready, said, ended, kill: end("SIGKILL"), interrupt: end("SIGINT") };
}

function untilReady(child: ChildProcessByStdio<null, Readable, Readable>, said: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    child.stdout.on("data", () => said().includes("The service runs.") && resolve());
    child.once("close", () => reject(new Error(`the run ended: ${said()}`)));
  });
}

/** Kills the engine of the database that the run works on. Needs /proc. */
export function killEngine({ dataDir }: Place): void {
  const runs = (pid: string): boolean => {
    const [program = "", ...args] = commandOf(pid);
    return program.endsWith("/dynoxide") && args.includes(join(dataDir, "dynamo.db"));
  };
  const engine = readdirSync("/proc").find((name) => /^\d+$/.test(name) && runs(name));
  process.kill(Number(engine), "SIGKILL");
}

function commandOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  } catch {
    return []; // it has ended meanwhile
  }
}

interface Endpoint {
  readonly dynamodb: string;
  readonly aws: string;
  readonly tables: Readonly<Record<TableId, string>>;
}

/** Where the tables of the run that holds the data directory (or held it last) can be reached. */
export const endpointOf = ({ dataDir }: Place): Endpoint =>
  JSON.parse(readFileSync(join(dataDir, "endpoint.json"), "utf8"));

/** What the run has written to a file of its data directory; undefined before that. */
export function fileOf<Content>({ dataDir }: Place, name: string): Content | undefined {
  const path = join(dataDir, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Content) : undefined;
}

/** Throws unless what the run used is free again: its port, its data directory and its database's engine. */
export async function expectNothingLeft(place: Place): Promise<void> {
  const { dynamodb, aws } = endpointOf(place);
  await (await listen(createServer(), place.port)).close();
  holdDataDir(place.dataDir).release();
  for (const url of [dynamodb, aws]) await expect(fetch(url)).rejects.toThrow("fetch failed");
}

/** `npm run admin -- ...` on the run that holds the data directory. */
export function admin(
  { dataDir }: Place,
  args: readonly string[],
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--import", "tsx", "infra/admin/cli.ts", ...args],
      { env: { PATH: process.env.PATH, LOCAL_DATA_DIR: dataDir } },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}
