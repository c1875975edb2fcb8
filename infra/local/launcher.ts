import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const LOOK_MS = 250;

/**
 * Settles when the `npm` this run was started with is gone. A killed npm takes its children down with it only when it
 * has the time to; without this, `kill -9` of `npm start` would leave the service behind, with its port. Where there is
 * no /proc, or no npm, it never settles.
 */
export function untilLauncherIsGone(): Promise<void> {
  const launcher = findLauncher();
  return new Promise((resolve) => {
    if (launcher === "gone") return resolve();
    if (launcher === undefined) return;
    const timer = setInterval(() => {
      if (isNpm(commandOf(launcher))) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS);
    timer.unref();
  });
}

/**
 * The npm furthest up among the processes that led here: `npm start` runs a shell that runs another npm. One that was
 * killed before this look is found out by what it left behind: a process that its script began, with no npm above, whose
 * nearest relative is the process that takes in orphans. Another launcher in the way (pnpm, a terminal) means that it
 * was none of npm's.
 */
function findLauncher(): number | "gone" | undefined {
  let found: number | undefined;
  let isScripts = isOurScripts(process.env);
  for (let pid = process.ppid; pid > 0; pid = parentOf(pid)) {
    const command = commandOf(pid);
    if (isNpm(command)) {
      found = pid;
      isScripts = isOurScripts(environmentOf(pid));
    } else if (takesInOrphans(pid, command)) {
      return isScripts ? "gone" : found;
    } else if (!isShell(command)) {
      break;
    }
  }
  return found;
}

const isNpm = (command: string): boolean => /^npm( |$)/.test(command);
const isShell = (command: string): boolean => /^(\S*\/)?(sh|bash|dash)( |$)/.test(command);

/** The first process; a login session's systemd. A first process that is an npm has been seen to be one. */
const takesInOrphans = (pid: number, command: string): boolean =>
  pid === 1 || /^(\S*\/)?systemd( |$)/.test(command);

/** Whether a process with this environment was begun by a script of ours (`start`, `local`), by itself or further up. */
const isOurScripts = (environment: Readonly<Record<string, string | undefined>>): boolean =>
  /^(start|local)$/.test(environment.npm_lifecycle_event ?? "") &&
  environment.npm_package_json === join(process.cwd(), "package.json");

/** The command line; empty when there is no such process, or one that waits to be buried. */
const commandOf = (pid: number): string => read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim();

const parentOf = (pid: number): number => Number(/^PPid:\s*(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]);

/** What the process was begun with. */
const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    read(`/proc/${pid}/environ`)
      .split("\0")
      .map((setting) => /^([^=]*)=(.*)$/s.exec(setting)?.slice(1) ?? ["", ""]),
  );

function read(file: string): string {
  try {
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  } catch {
    return ""; // it ended between the two
  }
}
