import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** A real browser out of an npm package: nothing needs to be installed on the machine. Close it when done. */
export async function launchBrowser(): Promise<Browser> {
  // The package's own switches turn off the very rules of the web a test is about; only the sandbox must go.
  return chromium.launch({ executablePath: unpack(), args: ["--no-sandbox"], headless: true });
}

/** The package is a module jest cannot load; a node of its own can. It unpacks the browser once per machine. */
function unpack(): string {
  const script = `
    import chromium from "@sparticuz/chromium";
    process.stdout.write(await chromium.executablePath());`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
}
