import * as z from "zod";
import type { CountedPage } from "../analytics/facets/pages";
import type { Operation } from "./operation";
import { clampedInteger } from "./parameters";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { count, percent, percentage } from "./rows";

/** Body of `GET /v1/pages` (contract: "Response of GET /v1/pages"). */
const pagesSchema = z.object({
  period: periodSchema,
  pages: z
    .array(
      z.object({
        path: z.string().describe("Path of the page, without its query. `(other)`: small pages together."),
        pageviews: count("Times the page was viewed."),
        unique_visitors: count("Distinct visitors who viewed the page."),
        avg_time_on_page_seconds: z
          .number()
          .describe("Visible time, averaged over the page views that reported one. Seconds, 2 decimals."),
        bounce_rate_pct: percentage(
          "Of the visits that entered here, those with one page view and no conversion.",
        ),
      }),
    )
    .describe("Most page views first; at most `limit` rows."),
});
export type PagesBody = Omit<z.infer<typeof pagesSchema>, "period">;

/** Shapes pages, ordered already. Both ratios have 2 decimals and are 0 of nothing (decisions: "Sums agree"). */
export const pagesBody = (pages: readonly CountedPage[]): PagesBody => ({
  pages: pages.map(({ path, pageviews, visitors, entries, bounces, timed, visibleMs }) => ({
    path,
    pageviews,
    unique_visitors: visitors,
    avg_time_on_page_seconds: timed === 0 ? 0 : Math.round(visibleMs / timed / 10) / 100,
    bounce_rate_pct: percent(bounces, entries),
  })),
});

export const pagesOperation: Operation<z.infer<typeof pagesSchema>, { limit: number }> = {
  name: "pages",
  summary: "The top pages by page views",
  description:
    "Exact visitors of each page, visible time (averaged over the page views that reported one) and bounce rate: of the visits that entered on the page, those with a single page view and no conversion. No breakdown by source.",
  response: pagesSchema,
  example: {
    period: EXAMPLE_PERIOD,
    pages: [
      {
        path: "/",
        pageviews: 2100,
        unique_visitors: 980,
        avg_time_on_page_seconds: 34.2,
        bounce_rate_pct: 41.67,
      },
      {
        path: "/products/hoodie",
        pageviews: 1240,
        unique_visitors: 702,
        avg_time_on_page_seconds: 58.75,
        bounce_rate_pct: 22.5,
      },
    ],
  },
  parameters: {
    limit: clampedInteger({
      description: "How many rows to return. What is out of range is brought into it.",
      min: 1,
      max: 100,
      fallback: 25,
    }),
  },
};
