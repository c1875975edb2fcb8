import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundle, formatBundles, overBudget } from "../../infra/bundle";

const folder = mkdtempSync(join(tmpdir(), "bundle-"));
afterAll(() => rmSync(folder, { recursive: true }));

const sources = join(folder, "functions");
const output = join(folder, "out");

beforeAll(() => {
  mkdirSync(join(sources, "lean"), { recursive: true });
  mkdirSync(join(sources, "fat"), { recursive: true });
  writeFileSync(join(folder, "words.txt"), "one two three");
  writeFileSync(join(sources, "lean/index.ts"), "export const handler = async (): Promise<number> => 1;");
  writeFileSync(join(sources, "fat/ballast.ts"), `export const ballast = "${"x".repeat(5000)}";`);
  writeFileSync(
    join(sources, "fat/index.ts"),
    `import { ballast } from "./ballast"; export const handler = async () => ballast;`,
  );
});

const functions = {
  lean: { purpose: "does little", assets: { "words.txt": join(folder, "words.txt") } },
  fat: { purpose: "carries much" },
};

describe("bundling", () => {
  it("makes of each function one CommonJS file with a source map, its assets beside it", async () => {
    const bundles = await bundle({ sources, output, functions });
    expect(bundles.map(({ id, assetBytes }) => ({ id, assetBytes }))).toEqual([
      { id: "lean", assetBytes: 13 },
      { id: "fat", assetBytes: 0 },
    ]);
    const { handler } = await import(join(output, "lean/index.cjs"));
    await expect(handler()).resolves.toBe(1);
    expect(readFileSync(join(output, "lean/index.cjs"), "utf8")).toContain("sourceMappingURL=index.cjs.map");
    expect(existsSync(join(output, "lean/index.cjs.map"))).toBe(true);
    expect(readFileSync(join(output, "lean/words.txt"), "utf8")).toBe("one two three");
  });

  it("leaves nothing of an earlier build", async () => {
    writeFileSync(join(output, "lean/stale.txt"), "");
    await bundle({ sources, output, functions });
    expect(existsSync(join(output, "lean/stale.txt"))).toBe(false);
  });

  it("names a function over its budget and what it is made of", async () => {
    const tight = { ...functions, fat: { ...functions.fat, bundleKb: 3 } };
    const [line, ...others] = overBudget(await bundle({ sources, output, functions: tight }));
    expect(line).toMatch(/^fat: \d+ KB is over the budget of 3 KB; largest inputs: .*ballast\.ts \(5 KB\)/);
    expect(others).toEqual([]);
    expect(overBudget(await bundle({ sources, output, functions }))).toEqual([]);
  });

  it("prints a row for each function", async () => {
    const rows = formatBundles(await bundle({ sources, output, functions })).split("\n");
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual(["function", "lean", "fat"]);
  });

  it("fails on a function without a folder", async () => {
    const missing = { ghost: { purpose: "is not there" } };
    await expect(bundle({ sources, output, functions: missing })).rejects.toThrow(/ghost/);
  });
});
