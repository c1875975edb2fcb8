import * as z from "zod";
import { QUARTER } from "../analytics/bucket";
import { originRows } from "../analytics/facets/origins";
import type { RevenueCube } from "../analytics/facets/revenue";
import { fromMoney } from "../money";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { type DateRange, localDays } from "./range";
import {
  bySourceName,
  count,
  descending,
  money,
  percent,
  percentage,
  productColumns,
  sourceColumns,
} from "./rows";

/** Body of `GET /v1/revenue` (contract: "Response of GET /v1/revenue"). */
const revenueSchema = z.object({
  period: periodSchema,
  totals: z.object({
    revenue: money("Sum of the purchases."),
    purchases: count("Purchases in the range."),
    average_order_value: money("Revenue per purchase; 0 without any."),
  }),
  by_source: z
    .array(
      z.object({
        ...sourceColumns,
        revenue: money("Sum of the purchases credited to the source."),
        purchases: count("Purchases credited to the source."),
        conversion_rate_pct: percentage("Purchases per visit of the source; 0 without visits."),
      }),
    )
    .describe("Most revenue first; rows sum to the totals."),
  by_product: z
    .array(
      z.object({
        ...productColumns,
        revenue: money("Units times price."),
        units: count("Units sold."),
      }),
    )
    .describe("Products of the purchases that named any, most revenue first."),
  by_day: z
    .array(
      z.object({
        date: z.iso.date().describe("A day in the time zone of `period`."),
        revenue: money("Sum of the day's purchases."),
        purchases: count("Purchases of the day."),
      }),
    )
    .describe("Every day of the range in order, also those without purchases; rows sum to the totals."),
});

export const revenueOperation: Operation<z.infer<typeof revenueSchema>> = {
  name: "revenue",
  summary: "Revenue and purchases: in all, by source, by product and by local day",
  description:
    "`conversion_rate_pct` of a source is purchases by visits. For leads to purchase divide `totals.purchases` by `totals.leads` of /v1/leads. `by_day` has every local day of the range, empty days as zeros. `by_product` covers purchases that named products.",
  response: revenueSchema,
  example: {
    period: EXAMPLE_PERIOD,
    totals: { revenue: 8420.5, purchases: 61, average_order_value: 138.04 },
    by_source: [
      {
        source: "google",
        channel: "Paid Search",
        revenue: 4100,
        purchases: 30,
        conversion_rate_pct: 4.17,
      },
      {
        source: "facebook",
        channel: "Paid Social",
        revenue: 2870.5,
        purchases: 21,
        conversion_rate_pct: 3.44,
      },
      { source: "(direct)", channel: "Direct", revenue: 1250, purchases: 9, conversion_rate_pct: 1.76 },
      { source: "(none)", channel: "Unattributed", revenue: 200, purchases: 1, conversion_rate_pct: 0 },
    ],
    by_product: [
      { sku: "HOOD-2", product_name: "Hoodie", revenue: 3540, units: 59 },
      { sku: "TEE-1", product_name: "Tee", revenue: 2300, units: 92 },
    ],
    by_day: [
      { date: "2026-11-18", revenue: 3120, purchases: 22 },
      { date: "2026-11-19", revenue: 0, purchases: 0 },
      { date: "2026-11-20", revenue: 5300.5, purchases: 39 },
    ],
  },
};

type RevenueBody = Omit<z.infer<typeof revenueSchema>, "period">;

/**
 * Sources and products by revenue, days in order with a row for every local day of the range (decisions: "Row order").
 * A source's rate is its purchases by its visits; a source without either in the range has no row.
 */
export function revenueBody({ sources, products, quarters }: RevenueCube, range: DateRange): RevenueBody {
  const [revenue, purchases] = [sources.total("revenue"), sources.total("purchases")];
  return {
    totals: {
      revenue: fromMoney(revenue),
      purchases,
      average_order_value: purchases ? fromMoney(revenue / purchases) : 0,
    },
    by_source: originRows(sources)
      .sort(descending([(row) => row.revenue], bySourceName))
      .map(({ source, channel, revenue, purchases, sessions }) => ({
        source,
        channel,
        revenue: fromMoney(revenue),
        purchases,
        conversion_rate_pct: percent(purchases, sessions),
      })),
    by_product: products
      .entries()
      .map(({ key: [sku = "", product_name = ""], figures }) => ({ sku, product_name, ...figures }))
      .sort(descending([(row) => row.revenue], [(row) => row.sku, (row) => row.product_name]))
      .map((row) => ({ ...row, revenue: fromMoney(row.revenue) })),
    by_day: byDay(quarters, range),
  };
}

/** Both are in the order of time, so one walk through the quarters serves all days. */
function byDay(quarters: RevenueCube["quarters"], range: DateRange): RevenueBody["by_day"] {
  const inOrder = quarters
    .entries()
    .map(({ key: [number], figures }) => ({ at: Number(number) * QUARTER, ...figures }))
    .sort((a, b) => a.at - b.at);
  let next = 0;
  return localDays(range).map(({ date, end }) => {
    let [revenue, purchases] = [0, 0];
    for (let quarter = inOrder[next]; quarter && quarter.at < end; quarter = inOrder[++next]) {
      revenue += quarter.revenue;
      purchases += quarter.purchases;
    }
    return { date, revenue: fromMoney(revenue), purchases };
  });
}
