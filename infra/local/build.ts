import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { bundle } from "../bundle";
import { LocalFailure } from "./failure";
import { TEMPLATE_FILE } from "./service";

/** What the template depends on, besides the bundles. */
const INPUTS = ["infra", "shared/storage/tables.ts", "cdk.json", "package-lock.json"];
const STAMP = ".build/cdk.out/.synthesised-from";

/**
 * Bundles the functions and synthesises the stack, as a deployment would. The synthesis is left out when the last one
 * was of the very same bytes.
 * @throws LocalFailure with the compiler's or the stack's own words
 */
export async function buildService(): Promise<void> {
  await bundle().catch((error: Error) => {
    throw new LocalFailure(`The functions cannot be bundled: ${error.message}`);
  });
  // The template as well: another synthesis, or one cut short, may have left another than the stamp is of.
  const current = () => fingerprint([...INPUTS, ".build/functions", TEMPLATE_FILE]);
  if (existsSync(STAMP) && readFileSync(STAMP, "utf8") === current()) return;
  // In a process of its own: the CDK would stay in memory for as long as the service runs.
  await promisify(execFile)(process.execPath, ["--import", "tsx", "infra/app.ts"]).catch(
    (error: { stderr?: string }) => {
      throw new LocalFailure(`The stack cannot be synthesised: ${error.stderr?.trim()}`);
    },
  );
  writeFileSync(STAMP, current());
}

/** A hash over names and contents of files and directories; the local run itself is no input. */
function fingerprint(paths: readonly string[]): string {
  const hash = createHash("sha256");
  const add = (path: string, isDirectory: boolean): void => {
    if (path === join("infra", "local")) return;
    if (!isDirectory) {
      hash.update(`${path}\0`).update(readFileSync(path));
      return;
    }
    const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) add(join(path, entry.name), entry.isDirectory());
  };
  for (const path of paths.filter((one) => existsSync(one))) add(path, !/\.\w+$/.test(path));
  return hash.digest("hex");
}
