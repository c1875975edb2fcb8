// `npm run build`: bundles the functions, prints their sizes, fails when one is over its budget.
import { bundle, formatBundles, overBudget } from "./bundle";

async function main(): Promise<void> {
  const started = performance.now();
  const bundles = await bundle();
  console.log(formatBundles(bundles));
  console.log(`${bundles.length} functions in ${Math.round(performance.now() - started)} ms`);
  const excess = overBudget(bundles);
  for (const line of excess) console.error(line);
  if (excess.length > 0) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
