import { bundle } from "../../infra/bundle";
import { measureBundles } from "./bundles";
import { compareWithRows } from "./duckdb/compare";
import { table } from "./measure";
import { growthOf, missedBy, outgrown } from "./reads/aims";
import { measureBackFill } from "./reads/back-fill";
import { measureReads, type ReadFigures } from "./reads/reads";
import { measureThroughput } from "./reads/throughput";
import { measureReceipts } from "./receipts";
import { type LoadedSite, loadSite } from "./site/load";
import { measureWritePath } from "./write-path";

/**
 * `npm run bench`: figures of the design, printed. BENCH_SIZES holds page views a year, smallest first; BENCH_PARTS, what
 * to measure. `BENCH_SIZES=20000 BENCH_PARTS=reads` takes a minute.
 */
const sizes = (process.env.BENCH_SIZES ?? "1000000,10000000").split(",").map(Number);
const parts = (process.env.BENCH_PARTS ?? "bundles,writes,receipts,reads,back-fill").split(",");

if (parts.includes("bundles")) {
  await bundle();
  table("Bundles (aim: under 600 KB and 80 ms)", measureBundles());
}
if (parts.includes("writes")) {
  table("Write units of a page view, by arrival rate of one site (aim: at most 1)", await measureWritePath());
}
if (parts.includes("receipts")) {
  table("An accepted receipt (aim: at most 5 round trips)", await measureReceipts());
}
if (parts.includes("reads")) await measureReadsOfEachSize();
if (parts.includes("back-fill")) await measureBackFillOfSmallest();

async function measureReadsOfEachSize(): Promise<void> {
  const bySize: { size: string; figures: ReadFigures[] }[] = [];
  for (const pageviews of sizes) {
    const size = `${pageviews.toLocaleString("en")} page views a year`;
    const loaded = await loadSite(pageviews, progress);
    try {
      printStored(loaded, size);
      const figures = await measureReads(loaded);
      table(`Reads, ${size}`, figures);
      table("Of these worse than the aim", missedBy(figures));
      table("Answers of one function on one core", await measureThroughput(loaded));
      const { compared, megabytes, loadSeconds } = await compareWithRows(loaded, pageviews, figures);
      const title = `DuckDB on the raw rows (${Math.round(megabytes)} MB, loaded in ${loadSeconds} s): all answers equal`;
      table(title, compared);
      bySize.push({ size, figures });
    } finally {
      await loaded.engine.close();
    }
  }
  const [small, large] = [bySize[0], bySize.at(-1)];
  if (!small || !large || small === large) return;
  const growth = growthOf(small.figures, large.figures);
  table(`Growth from ${small.size} to ${large.size}`, growth);
  table("Of these worse than the aim", outgrown(growth));
}

async function measureBackFillOfSmallest(): Promise<void> {
  const [pageviews = 0] = sizes;
  const loaded = await loadSite(pageviews, progress);
  await loaded.engine.close();
  table(
    `One more funnel, ${pageviews.toLocaleString("en")} page views a year`,
    await measureBackFill(loaded),
  );
}

function progress(day: number): void {
  if (day % 60 === 0) console.log(`loading: day ${day} of 366`);
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
