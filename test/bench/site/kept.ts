import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = ".bench";

/** The code that what is kept is made by. */
const MADE_BY = [
  "shared/domain/analytics",
  "shared/domain/funnels",
  "shared/storage/analytics",
  "test/bench/site",
  "test/bench/duckdb/rows.ts",
];

/** A file that takes long to make, and what was noted when it was done. */
export interface Kept<Notes> {
  readonly file: string;
  /** Null while there is no such file, or one that was not finished. */
  readonly notes: Notes | null;
  finish(notes: Notes): void;
}

/** The file of this kind for a site of `pageviews` in `.bench/`; those made by earlier code are deleted. */
export function kept<Notes>(pageviews: number, kind: string): Kept<Notes> {
  mkdirSync(FOLDER, { recursive: true });
  const name = `${pageviews}-${fingerprint()}`;
  const file = join(FOLDER, `${name}.${kind}`);
  const notesFile = `${file}.json`;
  const isFinished = existsSync(notesFile);
  const isStale = (found: string) =>
    found.startsWith(`${pageviews}-`) && (!found.startsWith(name) || found.startsWith(`${name}.${kind}`));
  if (!isFinished) for (const old of readdirSync(FOLDER).filter(isStale)) rmSync(join(FOLDER, old));
  return {
    file,
    notes: isFinished ? (JSON.parse(readFileSync(notesFile, "utf8")) as Notes) : null,
    finish: (notes) => writeFileSync(notesFile, JSON.stringify(notes)),
  };
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of MADE_BY.flatMap(sourcesIn)) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 12);
}

const sourcesIn = (path: string): string[] =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(".ts"))
        .sort()
        .map((file) => join(path, file));
