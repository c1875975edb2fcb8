import { createWriteStream, mkdirSync, type WriteStream } from "node:fs";
import { join } from "node:path";
import type { FunctionModel } from "./template/model";

/** What the functions write: a file per function, and what matters in one line to the terminal. */
export interface LogBook {
  output(fn: FunctionModel, line: string): void;
  failure(fn: FunctionModel, message: string): void;
  close(): void;
}

/** Logs go to `<dataDir>/logs/<function>.log`; without a directory only failures are told. */
export function openLogs(dataDir: string | undefined, report: (line: string) => void): LogBook {
  const files = new Map<string, WriteStream>();
  const directory = dataDir && join(dataDir, "logs");
  if (directory) mkdirSync(directory, { recursive: true });

  function fileOf(fn: FunctionModel): WriteStream | undefined {
    if (!directory) return undefined;
    const open =
      files.get(fn.logicalId) ?? createWriteStream(join(directory, `${fn.logicalId}.log`), { flags: "a" });
    files.set(fn.logicalId, open);
    return open;
  }
  return {
    output(fn, line) {
      fileOf(fn)?.write(`${line}\n`);
      if (line.includes('"level":"ERROR"')) report(`${fn.logicalId}: ${line.slice(0, 500)}`);
    },
    failure: (fn, message) => report(`${fn.logicalId}: ${message}`),
    close() {
      for (const file of files.values()) file.end();
    },
  };
}
