// Installs what is missing, so that `npm start` and `npm test` work in a fresh clone.
// Runs on whatever Node the machine has; everything after it runs on the Node 24 this installs.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const stamp = "node_modules/.installed-from";
const lockfile = createHash("sha256").update(readFileSync("package-lock.json")).digest("hex");
const installed = existsSync(stamp) && readFileSync(stamp, "utf8") === lockfile;

if (!installed) {
  // Not `npm ci`: it refuses to run where some other platform's optional binary is not to be had.
  process.stderr.write("Installing dependencies (the first time only) ...\n");
  execFileSync("npm", ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"], {
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  writeFileSync(stamp, lockfile);
}
