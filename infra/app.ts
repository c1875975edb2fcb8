// `npm run synth`, and through it `cdk deploy`: writes the service's cloud assembly, or fails on what its checks find.
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createServiceApp, STACK } from "./service-app";

const OUTPUT = ".build/cdk.out";
const DAY_MS = 24 * 60 * 60 * 1000;

/** Removes the bundles of earlier syntheses. Those of the last day stay: a local run may have been started from them. */
function prune(assembly: string): void {
  const inUse = readFileSync(join(assembly, `${STACK}.assets.json`), "utf8");
  const old = (path: string) => statSync(path).mtimeMs < Date.now() - DAY_MS;
  for (const name of readdirSync(assembly)) {
    const path = join(assembly, name);
    if (name.startsWith("asset.") && !inUse.includes(name) && old(path)) rmSync(path, { recursive: true });
  }
}

try {
  prune(createServiceApp({ outdir: OUTPUT, bundles: ".build/functions" }).synth().directory);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
