import { bundle } from "../../infra/bundle";
import { measureBundles } from "./bundles";
import { compareWithRows } from "./duckdb/compare";
import { table } from "./measure";
import { measureBackFill } from "./reads/back-fill";
import { growthOf, measureReads, type ReadFigures } from "./reads/reads";
import { measureThroughput } from "./reads/throughput";
import { type LoadedSite, loadSite } from "./site/load";
import { measureWritePath } from "./write-path";

/**
 * `npm run bench`: figures of the design, printed. BENCH_SIZES holds page views a year, smallest first; BENCH_PARTS, which of
 * `bundles`, `writes` and `reads` to measure.
 */
const sizes = (process.env.BENCH_SIZES ?? "1000000,10000000").split(",").map(Number);
const parts = (process.env.BENCH_PARTS ?? "bundles,writes,reads").split(",");

if (parts.includes("bundles")) {
  await bundle();
  table("Bundles (aim: under 600 KB and 80 ms)", measureBundles());
}
if (parts.includes("writes")) {
  table("Write units of a page view, by arrival rate of one site (aim: at most 1)", await measureWritePath());
}
if (parts.includes("reads")) await measureSites();

async function measureSites(): Promise<void> {
  const bySize: { size: string; figures: ReadFigures[] }[] = [];
  for (const [i, pageviews] of sizes.entries()) {
    const size = `${pageviews.toLocaleString("en")} page views a year`;
    const loaded = await loadSite(pageviews, (day) => {
      if (day % 60 === 0) console.log(`loading ${size}: day ${day} of 366`);
    });
    try {
      printStored(loaded, size);
      const figures = await measureReads(loaded);
      table(`Reads, ${size} (aim: 4 round trips, 2 cached)`, figures);
      table("Answers of one function on one core", await measureThroughput(loaded));
      const { compared, megabytes, loadSeconds } = await compareWithRows(loaded, pageviews, figures);
      table(
        `DuckDB on the raw rows (${Math.round(megabytes)} MB, loaded in ${loadSeconds} s), all answers equal`,
        compared,
      );
      bySize.push({ size, figures });
    } finally {
      await loaded.engine.close();
    }
    if (i === 0) table(`One more funnel, ${size}`, await measureBackFill(loaded));
  }
  const [small, large] = [bySize[0], bySize.at(-1)];
  if (small && large && small !== large) {
    table(`Growth from ${small.size} to ${large.size} (aim: 2)`, growthOf(small.figures, large.figures));
  }
}

function printStored({ notes }: LoadedSite, size: string): void {
  const { pageviews, visits, visitors, conversions, factItems, factBytes, cubes, loadSeconds } = notes;
  table(`Stored, ${size}`, [
    {
      ...{ pageviews, visits, visitors, conversions },
      "fact items": factItems,
      "fact bytes per page view": factBytes / pageviews,
      "load s": loadSeconds,
    },
  ]);
  table(
    "Cubes by facet",
    cubes.map(({ facet, items, quarter, day, month }) => ({
      facet,
      items,
      "quarters KB": quarter / 1_000,
      "days KB": day / 1_000,
      "months KB": month / 1_000,
      "bytes per page view": (quarter + day + month) / pageviews,
    })),
  );
}
