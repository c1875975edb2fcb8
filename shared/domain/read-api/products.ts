import * as z from "zod";
import { OTHER } from "../analytics/facets/figure-table";
import { originRows } from "../analytics/facets/origins";
import type { ProductsCube } from "../analytics/facets/products";
import { fromMoney } from "../money";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, money, productColumns, sourceColumns } from "./rows";

/** Body of `GET /v1/products` (contract: "Response of GET /v1/products"). */
const productsSchema = z.object({
  period: periodSchema,
  products: z
    .array(
      z.object({
        ...productColumns,
        units_sold: count("Units sold."),
        revenue: money("Units times price."),
        average_price: money("Revenue per unit."),
      }),
    )
    .describe("Most revenue first."),
  by_source: z
    .array(
      z.object({
        ...sourceColumns,
        top_product_sku: z.string().describe("The product with the most revenue from the source."),
        top_product_name: z.string().describe("Its name."),
        revenue: money("Of all products sold from the source."),
      }),
    )
    .describe("Most revenue first; rows sum to the revenue of all products."),
});

export const productsOperation: Operation<z.infer<typeof productsSchema>> = {
  name: "products",
  summary: "Products sold, and what each source sold most of",
  description:
    "Units, revenue and average price by product; for each source the product with the most revenue from it. Covers purchases that carried product details, so its revenue may differ from that of /v1/revenue.",
  response: productsSchema,
  example: {
    period: EXAMPLE_PERIOD,
    products: [
      { sku: "HOOD-2", product_name: "Hoodie", units_sold: 59, revenue: 3540, average_price: 60 },
      { sku: "TEE-1", product_name: "Tee", units_sold: 92, revenue: 2300, average_price: 25 },
    ],
    by_source: [
      {
        source: "google",
        channel: "Paid Search",
        top_product_sku: "HOOD-2",
        top_product_name: "Hoodie",
        revenue: 2900,
      },
      {
        source: "facebook",
        channel: "Paid Social",
        top_product_sku: "TEE-1",
        top_product_name: "Tee",
        revenue: 2100,
      },
      {
        source: "(direct)",
        channel: "Direct",
        top_product_sku: "HOOD-2",
        top_product_name: "Hoodie",
        revenue: 840,
      },
    ],
  },
};

const byProductName: readonly ((row: { sku: string; product_name: string }) => string)[] = [
  (row) => row.sku,
  (row) => row.product_name,
];

/**
 * Products and sources by revenue (decisions: "Row order"). A source's top product is the one with the most revenue
 * from it; its revenue is that of all its products.
 */
export function productsBody({
  products,
  sources,
  sellers,
}: ProductsCube): Omit<z.infer<typeof productsSchema>, "period"> {
  const sold = sellers
    .entries()
    .map(({ key: [source = "", channel = "", sku = "", product_name = ""], figures: { revenue } }) => ({
      ...{ source, channel, sku, product_name, revenue },
    }))
    .sort(descending([(row) => row.revenue], byProductName));
  const bySource = Map.groupBy(sold, ({ source, channel }) => JSON.stringify([source, channel]));
  return {
    products: products
      .entries()
      .map(({ key: [sku = "", product_name = ""], figures }) => ({ sku, product_name, ...figures }))
      .sort(descending([(row) => row.revenue], byProductName))
      .map(({ sku, product_name, units, revenue }) => ({
        ...{ sku, product_name, units_sold: units },
        revenue: fromMoney(revenue),
        average_price: units === 0 ? 0 : fromMoney(revenue / units),
      })),
    by_source: originRows(sources)
      .sort(descending([(row) => row.revenue], bySourceName))
      .map(({ source, channel, revenue }) => {
        const [top] = bySource.get(JSON.stringify([source, channel])) ?? [];
        return {
          ...{ source, channel },
          top_product_sku: top?.sku ?? OTHER,
          top_product_name: top?.product_name ?? OTHER,
          revenue: fromMoney(revenue),
        };
      }),
  };
}
