import * as z from "zod";
import type { TrafficCube, TrafficRow } from "../analytics/facets/traffic";
import { countDistinct } from "../analytics/visitor-set";
import { fromMoney } from "../money";
import { periodSchema } from "./period";

const count = z.int().min(0);

/** Body of `GET /v1/overview` (contract: "Response of GET /v1/overview"). */
export const overviewSchema = z.object({
  period: periodSchema,
  totals: z.object({
    sessions: count,
    unique_visitors: count,
    pageviews: count,
    revenue: z.number(),
    leads: count,
    purchases: count,
  }),
  by_source: z.array(
    z.object({
      source: z.string(),
      channel: z.string(),
      sessions: count,
      revenue: z.number(),
      leads: count,
      purchases: count,
    }),
  ),
});

/**
 * Rows by sessions, then revenue, both largest first, then by source and channel, so that equal data gives equal bytes
 * (decisions: "Row order"). A source that only viewed pages in the range, its visit having begun earlier, has a row of
 * 0 sessions. Money in decimal units with 2 places.
 */
export function overview({ rows, visitors }: TrafficCube): Omit<z.infer<typeof overviewSchema>, "period"> {
  const entries = rows.entries();
  const total = (field: keyof TrafficRow): number => entries.reduce((sum, row) => sum + row[field], 0);
  return {
    totals: {
      sessions: total("sessions"),
      unique_visitors: countDistinct([visitors]),
      pageviews: total("pageviews"),
      revenue: fromMoney(total("revenue")),
      leads: total("leads"),
      purchases: total("purchases"),
    },
    by_source: entries
      .sort(
        (a, b) =>
          b.sessions - a.sessions ||
          b.revenue - a.revenue ||
          byName(a.source, b.source) ||
          byName(a.channel, b.channel),
      )
      .map(({ source, channel, sessions, revenue, leads, purchases }) => ({
        source,
        channel,
        sessions,
        revenue: fromMoney(revenue),
        leads,
        purchases,
      })),
  };
}

/** By code unit: the same everywhere, whatever the machine's locale. */
const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
