// Prints what a run of jest came to, as `N passed, N failed`. A file that could not run at all counts as one failure.
import { existsSync, readFileSync } from "node:fs";

const [, , path] = process.argv;
const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } =
  path && existsSync(path)
    ? JSON.parse(readFileSync(path, "utf8"))
    : { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
console.log(`${numPassedTests} passed, ${numFailedTests + numRuntimeErrorTestSuites} failed`);
