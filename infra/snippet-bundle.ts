import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

/** Where the snippet's function finds it at build time (see its assets in the manifest). */
const SNIPPET_FILE = ".build/snippet/t.js";

/** It delays other people's pages: what a script may weigh on the wire. */
export const SNIPPET_BUDGET_BYTES = 3_000;

/** Bundles the tracking snippet for browsers; fails when it outgrows its budget. */
export async function bundleSnippet(): Promise<{ code: string; gzipBytes: number }> {
  const { outputFiles } = await build({
    entryPoints: ["functions/snippet/browser/main.ts"],
    bundle: true,
    minify: true,
    format: "iife",
    platform: "browser",
    target: "es2020",
    legalComments: "none",
    tsconfig: "functions/snippet/browser/tsconfig.json",
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  const gzipBytes = gzipSync(code, { level: 9 }).length;
  if (gzipBytes > SNIPPET_BUDGET_BYTES) {
    throw new Error(`the snippet is ${gzipBytes} bytes gzipped; its budget is ${SNIPPET_BUDGET_BYTES}`);
  }
  return { code, gzipBytes };
}

/** Bundles the snippet to {@link SNIPPET_FILE}. */
export async function writeSnippet(): Promise<number> {
  const { code, gzipBytes } = await bundleSnippet();
  mkdirSync(dirname(SNIPPET_FILE), { recursive: true });
  writeFileSync(SNIPPET_FILE, code);
  return gzipBytes;
}
