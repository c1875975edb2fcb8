import { existsSync, readFileSync } from "node:fs";

const LOOK_MS = 250;

/**
 * Settles when the `npm` this run was started with is gone. A killed npm takes its children down with it only when it
 * has the time to; without this, `kill -9` of `npm start` would leave the service behind, with its port. Where there is
 * no /proc, or no npm, it never settles.
 */
export function untilLauncherIsGone(): Promise<void> {
  const launcher = outermostNpm();
  return new Promise((resolve) => {
    if (launcher === undefined) return;
    const timer = setInterval(() => {
      if (commandOf(launcher)?.startsWith("npm")) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS);
    timer.unref();
  });
}

/** The npm furthest up among the processes that led here: `npm start` runs a shell that runs another npm. */
function outermostNpm(): number | undefined {
  let found: number | undefined;
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) {
    const command = commandOf(pid);
    if (command === undefined || !/^(npm|(\S*\/)?(sh|bash|dash))( |$)/.test(command)) break;
    if (command.startsWith("npm")) found = pid;
  }
  return found;
}

/** The command line, or undefined when there is no such process. */
function commandOf(pid: number): string | undefined {
  const file = `/proc/${pid}/cmdline`;
  if (!existsSync(file)) return undefined;
  try {
    return readFileSync(file, "utf8").replaceAll("\0", " ").trim() || undefined; // empty for one that waits to be buried
  } catch {
    return undefined;
  }
}

function parentOf(pid: number): number {
  try {
    return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
