import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const node = `"${process.execPath}"`;
const RUN = `${node} --import tsx test/local/fixture/launched.ts`;
const NPM = `${node} test/local/fixture/npm.cjs`;
const PACKAGE = join(process.cwd(), "package.json");
/** The command, begun when the npm whose script this is has been killed. */
const orphaned = (command: string) => `echo begun; while kill -0 $PPID 2>/dev/null; do :; done; ${command}`;

let launcher: ChildProcess;
let output: Readable;
let lifeline: Readable | Writable | null | undefined;
afterEach(() => lifeline?.destroy()); // the run ends with it

/** Starts a process that has nothing of npm's own in its environment, or what is given. */
function launch(command: string, environment: Record<string, string>): void {
  const env = { PATH: process.env.PATH, ...environment };
  const stdio = ["ignore", "pipe", "inherit", "pipe"] as const;
  const child = spawn("/bin/sh", ["-c", `exec ${command}`], { env, stdio: [...stdio] });
  [launcher, output, lifeline] = [child, child.stdout as Readable, child.stdio[3]];
}

const launchScripts = (scripts: { start?: string; local: string }, environment = {}): void =>
  launch(`${NPM} ${Object.keys(scripts)[0]}`, { SCRIPTS: JSON.stringify(scripts), PACKAGE, ...environment });

const said = async () => String(await once(output, "data")).trim();

test("a run whose npm is killed hears of it", async () => {
  launchScripts({ local: RUN });
  expect(await said()).toBe("up");
  launcher.kill("SIGKILL");
  expect(await said()).toBe("gone");
});

test("a run whose npm was killed before it looked hears of it at once", async () => {
  launchScripts({ local: orphaned(RUN) });
  expect(await said()).toBe("begun");
  launcher.kill("SIGKILL");
  expect(await said()).toBe("gone");
});

test("so does one whose first npm was killed before there was the second", async () => {
  launchScripts({ start: orphaned(`${NPM} local`), local: RUN });
  expect(await said()).toBe("begun");
  launcher.kill("SIGKILL");
  expect(await said()).toBe("gone");
});

test("a run that was left behind by some other package's script goes on", async () => {
  launchScripts({ local: orphaned(RUN) }, { PACKAGE: "/elsewhere/package.json" });
  expect(await said()).toBe("begun");
  launcher.kill("SIGKILL");
  expect(await said()).toBe("up");
});

test("a run with a launcher that is no npm goes on, whatever its environment says", async () => {
  launch(RUN, { npm_lifecycle_event: "local", npm_package_json: PACKAGE });
  expect(await said()).toBe("up");
});
