import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";

const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

/**
 * What is wrong with a SQLite file, as far as its header tells; undefined when it looks whole or does not exist. The
 * engine itself opens a file that was cut off, and fails only later, at a read.
 */
export function faultOf(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  const stats = statSync(file);
  if (!stats.isFile()) return "it is not a file";
  const { size } = stats;
  if (size === 0) return undefined; // SQLite takes an empty file for a new database
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(file, "r");
  readSync(handle, header, 0, HEADER_BYTES, 0);
  closeSync(handle);
  if (header.toString("latin1", 0, MAGIC.length) !== MAGIC) return "it is not a SQLite database";
  // After a kill in the middle of a checkpoint the file may be short, and the log beside it completes it.
  if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0) return undefined;
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const expected = pageSize * header.readUInt32BE(28);
  return size < expected ? `it is cut off: ${size} of ${expected} bytes` : undefined;
}
