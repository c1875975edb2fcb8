import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What the linters find wrong with an OpenAPI description, one sentence each (see lint.mjs). */
export async function problemsOf(description: unknown): Promise<string[]> {
  const linting = run(process.execPath, ["test/docs/lint.mjs"], { maxBuffer: 1e8 });
  linting.child.stdin?.end(JSON.stringify(description));
  return JSON.parse((await linting).stdout);
}

/** The operations of a description, and their names. */
export const operationsOf = ({ paths }: { paths: Record<string, unknown> }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Record<string, unknown>>).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      ...operation,
    })),
  );
