import * as z from "zod";
import { originRows } from "../analytics/facets/origins";
import type { TrafficCube } from "../analytics/facets/traffic";
import { countDistinct } from "../analytics/visitor-set";
import { fromMoney } from "../money";
import { periodSchema } from "./period";
import { bySourceName, count, descending, money, sourceColumns } from "./rows";

/** Body of `GET /v1/overview` (contract: "Response of GET /v1/overview"). */
export const overviewSchema = z.object({
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

/**
 * Rows by sessions, then revenue (decisions: "Row order"). A source that only viewed pages in the range, its visit
 * having begun earlier, has a row of 0 sessions.
 */
export const overview = ({
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
