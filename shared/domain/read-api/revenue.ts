import * as z from "zod";
import { QUARTER } from "../analytics/bucket";
import { originRows } from "../analytics/facets/origins";
import type { RevenueCube } from "../analytics/facets/revenue";
import { fromMoney } from "../money";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { type DateRange, localDays } from "./range";
import { bySourceName, count, descending, money, percent, percentage, sourceColumns } from "./rows";

/** Body of `GET /v1/revenue` (contract: "Response of GET /v1/revenue"). */
const revenueSchema = z.object({
  period: periodSchema,
  totals: z.object({ revenue: money, purchases: count, average_order_value: money }),
  by_source: z.array(
    z.object({ ...sourceColumns, revenue: money, purchases: count, conversion_rate_pct: percentage }),
  ),
  by_product: z.array(
    z.object({ sku: z.string(), product_name: z.string(), revenue: money, units: z.number() }),
  ),
  by_day: z.array(z.object({ date: z.iso.date(), revenue: money, purchases: count })),
});

export const revenueOperation: Operation<z.infer<typeof revenueSchema>> = {
  name: "revenue",
  summary: "Revenue and purchases: in all, by source, by product and by local day",
  description:
    "`conversion_rate_pct` of a source is its purchases by its visits. For leads to purchase divide `totals.purchases` by `totals.leads` of `/v1/leads`. `by_day` has every local day of the range, empty days as zeros. `by_product` covers purchases that named products.",
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
    ],
    by_product: [{ sku: "TEE-1", product_name: "Tee", revenue: 2300, units: 92 }],
    by_day: [{ date: "2026-11-01", revenue: 310, purchases: 2 }],
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
      .sort(descending([(row) => row.revenue, (row) => row.purchases, (row) => row.sessions], bySourceName))
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
