import * as z from "zod";
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

interface Row {
  readonly source: string;
  readonly channel: string;
  readonly sku: string;
  readonly name: string;
  readonly units: number;
  readonly revenue: number;
}

const byProductName: readonly ((row: Pick<Row, "sku" | "name">) => string)[] = [
  (row) => row.sku,
  (row) => row.name,
];

/**
 * Products and sources by revenue (decisions: "Row order"). A source's top product is the one with the most revenue
 * from it; its revenue is that of all its products.
 */
export function productsBody(cube: ProductsCube): Omit<z.infer<typeof productsSchema>, "period"> {
  const rows: Row[] = cube
    .entries()
    .map(({ key: [source = "", channel = "", sku = "", name = ""], figures }) => ({
      ...{ source, channel, sku, name },
      ...figures,
    }));
  const products = sumBy(rows, ({ sku, name }) => JSON.stringify([sku, name]));
  const sources = Map.groupBy(rows, ({ source, channel }) => JSON.stringify([source, channel]));
  return {
    products: products.sort(descending([(row) => row.revenue], byProductName)).map((row) => ({
      sku: row.sku,
      product_name: row.name,
      units_sold: row.units,
      revenue: fromMoney(row.revenue),
      average_price: row.units === 0 ? 0 : fromMoney(row.revenue / row.units),
    })),
    by_source: [...sources.values()]
      .flatMap((some) => {
        const [top] = some.sort(descending([(row) => row.revenue], byProductName));
        return top ? [{ top, revenue: some.reduce((sum, row) => sum + row.revenue, 0) }] : [];
      })
      .sort(
        descending(
          [(one) => one.revenue],
          bySourceName.map(
            (name) =>
              ({ top }) =>
                name(top),
          ),
        ),
      )
      .map(({ top, revenue }) => ({
        source: top.source,
        channel: top.channel,
        top_product_sku: top.sku,
        top_product_name: top.name,
        revenue: fromMoney(revenue),
      })),
  };
}

function sumBy(rows: readonly Row[], keyOf: (row: Row) => string): Row[] {
  return [...Map.groupBy(rows, keyOf).values()].flatMap((some) => {
    const [first] = some;
    const total = (figure: "units" | "revenue") => some.reduce((sum, row) => sum + row[figure], 0);
    return first ? [{ ...first, units: total("units"), revenue: total("revenue") }] : [];
  });
}
