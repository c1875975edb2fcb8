import { bundle } from "../../infra/bundle";
import { measureBundles } from "./bundles";
import { loadSite } from "./load";
import { table } from "./measure";
import { measureOverview, measureRawOverview, type OverviewFigures } from "./overview";
import { measureWritePath } from "./write-path";

/** `npm run bench`: figures of the design, printed. BENCH_SIZES holds page views, smallest first. */
const sizes = (process.env.BENCH_SIZES ?? "1000000,10000000").split(",").map(Number);
const RAW_DAYS = 30;

await bundle();
table("Bundles (aim: under 600 KB and 80 ms)", measureBundles());

table("Write units of a page view, by arrival rate of one site (aim: at most 1)", await measureWritePath());

const bySize: { pageviews: number; figures: OverviewFigures[] }[] = [];
for (const pageviews of sizes) {
  const loaded = await loadSite(pageviews, (day) => {
    if (day % 30 === 0)
      console.log(`loading ${pageviews.toLocaleString("en")} page views: day ${day} of 366`);
  });
  try {
    const { stats } = loaded;
    table(`Stored, ${pageviews.toLocaleString("en")} page views a year`, [
      {
        visits: stats.visits,
        visitors: stats.visitors,
        conversions: stats.conversions,
        blocks: stats.blocks,
        "fact bytes per page view": (stats.blockBytes + stats.conversionBytes) / stats.pageviews,
        "load s": stats.loadSeconds,
      },
    ]);
    const figures = await measureOverview(loaded);
    table("Overview from cubes", figures);
    const raw = await measureRawOverview(loaded, RAW_DAYS);
    const cubes = figures.find((figure) => figure.range === raw.range);
    table(`Overview of ${RAW_DAYS} days from raw facts, and the factor gained`, [
      {
        "raw ms": raw.ms,
        "raw read units": raw.readUnits,
        "times slower": raw.ms / (cubes?.["median ms"] ?? 1),
        "times the units": raw.readUnits / (cubes?.["read units"] ?? 1),
      },
    ]);
    bySize.push({ pageviews, figures });
  } finally {
    await loaded.engine.close();
  }
}
const [small, large] = [bySize[0], bySize.at(-1)];
if (small && large && small !== large) {
  table(
    `Growth from ${small.pageviews.toLocaleString("en")} to ${large.pageviews.toLocaleString("en")} page views`,
    large.figures.map((figure, i) => ({
      range: figure.range,
      "time x": figure["median ms"] / (small.figures[i]?.["median ms"] ?? 1),
      "read units x": figure["read units"] / (small.figures[i]?.["read units"] ?? 1),
    })),
  );
}
