import { copyFile, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, formatMessages, type Metafile, type Plugin } from "esbuild";
import { bundleKbOf, FUNCTIONS, type FunctionSpec } from "./manifest";
import { writeSnippet } from "./snippet-bundle";

/** Steps whose products the functions contain, run in this order before the functions are bundled. */
const BEFOREHAND: readonly (() => Promise<unknown>)[] = [writeSnippet];

export interface BundledFunction {
  readonly id: string;
  /** Where `index.cjs`, its source map and its assets lie. */
  readonly directory: string;
  /** JavaScript alone, minified. */
  readonly bytes: number;
  readonly budgetBytes: number;
  readonly assetBytes: number;
  /** The files that contribute most to `bytes`, largest first. */
  readonly largest: readonly { readonly path: string; readonly bytes: number }[];
}

export interface BundleOptions {
  /** One folder with an `index.ts` per function. */
  readonly sources?: string;
  /** Emptied first; gets one folder per function. */
  readonly output?: string;
  readonly functions?: Readonly<Record<string, FunctionSpec>>;
}

/**
 * Bundles every function of the manifest in one esbuild call, to `<output>/<id>/index.cjs` with its source map, and
 * copies its assets beside it. The budget is not enforced here; see `overBudget`.
 */
export async function bundle({
  sources = "functions",
  output = ".build/functions",
  functions = FUNCTIONS,
}: BundleOptions = {}): Promise<readonly BundledFunction[]> {
  for (const step of BEFOREHAND) await step();
  await rm(output, { recursive: true, force: true });
  const ids = Object.keys(functions);
  const { metafile, warnings } = await build({
    entryPoints: ids.map((id) => ({ in: join(sources, id, "index.ts"), out: join(id, "index") })),
    outdir: output,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    // The ES modules of packages that ship both: only they can be shaken.
    mainFields: ["module", "main"],
    minify: true,
    legalComments: "none",
    sourcemap: "linked",
    // Names and lines are enough for a stack trace, and the runtime reads the map on every cold start.
    sourcesContent: false,
    plugins: [withoutAnswerValidator, withoutStripeClient],
    metafile: true,
    logLevel: "silent",
  });
  for (const warning of await formatMessages(warnings, { kind: "warning" })) console.warn(warning);
  return Promise.all(
    Object.entries(functions).map(async ([id, spec]) => {
      const directory = join(output, id);
      return {
        id,
        directory,
        ...measure(metafile, join(directory, "index.cjs")),
        budgetBytes: bundleKbOf(spec) * 1024,
        assetBytes: await copyAssets(spec.assets ?? {}, directory),
      };
    }),
  );
}

/**
 * The server of the MCP SDK brings a JSON Schema validator for what clients answer to its questions: 130 KB and a third of
 * the SDK's load time, for an object it makes only when it is given none. Ours asks nothing (functions/mcp/protocol.ts).
 */
const withoutAnswerValidator: Plugin = {
  name: "without-answer-validator",
  setup({ onLoad }) {
    const filter = /@modelcontextprotocol\/sdk\/dist\/\w+\/validation\/ajv-provider\.js$/;
    const contents = `export class AjvJsonSchemaValidator { constructor() { throw new Error("left out of the bundle"); } }`;
    onLoad({ filter }, () => ({ contents }));
  },
};

/**
 * Of Stripe's library the product uses the check of signatures, 17 KB; the client of its API would add 225 KB and 10 ms to
 * a cold start. Its entry is replaced by one that offers `webhooks` alone, made as the library itself makes it.
 */
const withoutStripeClient: Plugin = {
  name: "without-stripe-client",
  setup({ onLoad }) {
    const contents = `
      import { createWebhooks } from "./Webhooks.js";
      import { NodePlatformFunctions } from "./platform/NodePlatformFunctions.js";
      export default { webhooks: createWebhooks(new NodePlatformFunctions()) };`;
    onLoad({ filter: /stripe[/\\]esm[/\\]stripe\.esm\.node\.js$/ }, ({ path }) => ({
      contents,
      resolveDir: dirname(path),
    }));
  },
};

/** One line for each function above its budget, naming its three largest inputs. */
export function overBudget(bundles: readonly BundledFunction[]): readonly string[] {
  return bundles
    .filter(({ bytes, budgetBytes }) => bytes > budgetBytes)
    .map(({ id, bytes, budgetBytes, largest }) => {
      const inputs = largest.slice(0, 3).map((input) => `${input.path} (${kilobytes(input.bytes)} KB)`);
      return `${id}: ${kilobytes(bytes)} KB is over the budget of ${kilobytes(budgetBytes)} KB; largest inputs: ${inputs.join(", ")}`;
    });
}

/** A table for people: function, KB of JavaScript, KB of assets. */
export function formatBundles(bundles: readonly BundledFunction[]): string {
  const width = Math.max(8, ...bundles.map(({ id }) => id.length));
  const row = (id: string, bytes: string, assets: string) =>
    `${id.padEnd(width)}${bytes.padStart(8)}${assets.padStart(12)}`;
  return [
    row("function", "KB", "assets KB"),
    ...bundles.map(({ id, bytes, assetBytes }) =>
      row(id, kilobytes(bytes), assetBytes ? kilobytes(assetBytes) : "-"),
    ),
  ].join("\n");
}

const kilobytes = (bytes: number): string => String(Math.ceil(bytes / 1024));

function measure(metafile: Metafile, file: string): Pick<BundledFunction, "bytes" | "largest"> {
  const output = metafile.outputs[relative(".", file)];
  if (!output) throw new Error(`esbuild wrote no ${file}`);
  const largest = Object.entries(output.inputs)
    .map(([path, { bytesInOutput }]) => ({ path, bytes: bytesInOutput }))
    .sort((a, b) => b.bytes - a.bytes);
  return { bytes: output.bytes, largest };
}

async function copyAssets(assets: Readonly<Record<string, string>>, directory: string): Promise<number> {
  const sizes = await Promise.all(
    Object.entries(assets).map(async ([name, source]) => {
      await copyFile(source, join(directory, name));
      return (await stat(source)).size;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
