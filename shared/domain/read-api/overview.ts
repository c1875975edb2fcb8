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
    sessions: count,
    unique_visitors: count,
    pageviews: count,
    revenue: money,
    leads: count,
    purchases: count,
  }),
  by_source: z.array(
    z.object({ ...sourceColumns, sessions: count, revenue: money, leads: count, purchases: count }),
  ),
});

export const overviewOperation: Operation<z.infer<typeof overviewSchema>> = {
  name: "overview",
  summary: "Visits, visitors, page views, revenue, leads and purchases: in all and by source",
  description:
    "The only operation with visits (`sessions`) by source: divide revenue by sessions for revenue per visit, sessions by leads for visits per lead. `unique_visitors` is exact over the whole range.",
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
