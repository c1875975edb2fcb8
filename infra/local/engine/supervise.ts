import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";

/** A process that cannot outlive the one that started it. */
export interface Supervised {
  readonly pid: number;
  /** Everything it wrote so far to either output. */
  output(): string;
  /** Settled when it has ended, with its exit code (null after a signal). */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

/**
 * Runs the command given as arguments and watches the standard input, which only the parent holds open: when the
 * parent is gone, however it died, the input ends and the command is killed.
 */
const WATCHER = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
(cat <&3 >/dev/null; kill -9 $child 2>/dev/null) &
watcher=$!
trap 'kill -TERM $child 2>/dev/null' TERM
while kill -0 $child 2>/dev/null; do wait $child; code=$?; done
kill $watcher 2>/dev/null
exit $code`;

interface Handle {
  unref?(): void;
}

/** How long a program may take to end when asked; then it is killed. */
const STOP_MS = 5000;

const hasShell = process.platform !== "win32";

/** Starts a program so that it ends with this process, also when this process is killed. */
export function supervise(program: string, args: readonly string[]): Supervised {
  const child: ChildProcess = hasShell
    ? spawn("/bin/sh", ["-c", WATCHER, "sh", program, ...args], { stdio: "pipe", detached: true })
    : spawn(program, args, { stdio: "pipe" });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output = (output + text).slice(-8000);
    });
  }
  const ended = new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      output += error.message;
      resolve(null);
    });
    child.once("exit", (code) => resolve(code));
  });
  void ended.then(() => child.stdin?.destroy());
  // The program does not keep this process alive: it ends with it.
  for (const handle of [child, child.stdin, child.stdout, child.stderr]) (handle as Handle | null)?.unref?.();
  child.stdin?.on("error", () => {});
  return {
    pid: child.pid ?? -1,
    output: () => output,
    ended,
    async stop() {
      child.ref();
      child.kill("SIGTERM");
      const patience = setTimeout(() => (hasShell ? child.stdin?.destroy() : child.kill("SIGKILL")), STOP_MS);
      await ended;
      clearTimeout(patience);
    },
  };
}

/** A TCP port of the loopback address that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
