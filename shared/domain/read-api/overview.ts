import * as z from "zod";
import { originRows } from "../analytics/facets/origins";
import type { TrafficCube } from "../analytics/facets/traffic";
import { countDistinct } from "../analytics/visitor-set";
import { fromMoney } from "../money";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, money, sourceColumns } from "./rows";

/** Body of `GET /v1/overview` (contract: "Response of GET /v1/overview"). */
const overviewSchema = z.object({
  period: periodSchema,
  totals: z.object({
    sessions: count("Visits that began in the range."),
    unique_visitors: count("Distinct visitors of the range, each counted once."),
    pageviews: count("Pages viewed in the range."),
    revenue: money("Sum of the purchases."),
    leads: count("Leads in the range."),
    purchases: count("Purchases in the range."),
  }),
  by_source: z
    .array(
      z.object({
        ...sourceColumns,
        sessions: count("Visits from the source that began in the range."),
        revenue: money("Sum of the purchases credited to the source."),
        leads: count("Leads credited to the source."),
        purchases: count("Purchases credited to the source."),
      }),
    )
    .describe("Most visits first; rows sum to the totals."),
});

export const overviewOperation: Operation<z.infer<typeof overviewSchema>> = {
  name: "overview",
  summary: "Visits, visitors, page views, revenue, leads and purchases: in all and by source",
  description:
    "The place to start. The only operation with visits (`sessions`) by source: divide revenue by sessions for revenue per visit, sessions by leads for visits per lead. `unique_visitors` is exact over the whole range.",
  response: overviewSchema,
  example: {
    period: EXAMPLE_PERIOD,
    totals: {
      sessions: 1840,
      unique_visitors: 1312,
      pageviews: 5210,
      revenue: 8420.5,
      leads: 96,
      purchases: 61,
    },
    by_source: [
      { source: "google", channel: "Paid Search", sessions: 720, revenue: 4100, leads: 41, purchases: 30 },
      {
        source: "facebook",
        channel: "Paid Social",
        sessions: 610,
        revenue: 2870.5,
        leads: 38,
        purchases: 21,
      },
      { source: "(direct)", channel: "Direct", sessions: 510, revenue: 1250, leads: 15, purchases: 9 },
      { source: "(none)", channel: "Unattributed", sessions: 0, revenue: 200, leads: 2, purchases: 1 },
    ],
  },
};

/**
 * Rows by sessions, then revenue (decisions: "Row order"). A source that only viewed pages in the range, its visit
 * having begun earlier, has a row of 0 sessions.
 */
export const overviewBody = ({
  rows,
  visitors,
}: TrafficCube): Omit<z.infer<typeof overviewSchema>, "period"> => ({
  totals: {
    sessions: rows.total("sessions"),
    unique_visitors: countDistinct([visitors]),
    pageviews: rows.total("pageviews"),
    revenue: fromMoney(rows.total("revenue")),
    leads: rows.total("leads"),
    purchases: rows.total("purchases"),
  },
  by_source: originRows(rows)
    .sort(descending([(row) => row.sessions, (row) => row.revenue], bySourceName))
    .map(({ pageviews, revenue, ...row }) => ({ ...row, revenue: fromMoney(revenue) })),
});
