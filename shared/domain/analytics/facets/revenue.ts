import { quarterOf } from "../block";
import { QUARTER } from "../bucket";
import { pack, unpack } from "../codec";
import type { Facet } from "./facet";
import { type Columns, FigureTable } from "./figure-table";
import { foldOrigin, originKey } from "./origins";
import { boundedProducts } from "./product-rows";

/** What `/v1/revenue` is made of. Revenue is Money. */
export interface RevenueCube {
  /** By source and channel; sessions for the rate of purchases per visit. */
  readonly sources: FigureTable<"sessions" | "purchases" | "revenue">;
  /** By sku and product name, of purchases that named products. */
  readonly products: FigureTable<"units" | "revenue">;
  /**
   * By quarter hour (its number since 1970), whatever the bucket's level: local days begin anywhere in a UTC day, so
   * rows by day can be cut in any zone without reading a quarter's own cube.
   */
  readonly quarters: FigureTable<"purchases" | "revenue">;
}

const SOURCE_FIELDS = ["sessions", "purchases", "revenue"] as const;
const PRODUCT_FIELDS = ["units", "revenue"] as const;
const QUARTER_FIELDS = ["purchases", "revenue"] as const;

const empty = (): RevenueCube => ({
  sources: new FigureTable(SOURCE_FIELDS),
  products: new FigureTable(PRODUCT_FIELDS),
  quarters: new FigureTable(QUARTER_FIELDS),
});

export const revenue: Facet<RevenueCube> = {
  name: "revenue",

  fold({ visits, conversions }) {
    const purchases = conversions.filter((fact) => fact.type === "Purchase");
    if (visits.length + purchases.length === 0) return null;
    const { sources, products, quarters } = empty();
    for (const visit of visits) sources.at(originKey(visit)).sessions++;
    for (const purchase of purchases) {
      const time = quarters.at([String(quarterOf(purchase).start / QUARTER)]);
      for (const row of [sources.at(originKey(purchase)), time]) {
        row.purchases++;
        row.revenue += purchase.value;
      }
      for (const line of purchase.products) {
        const product = products.at([line.sku, line.name]);
        product.units += line.units;
        product.revenue += line.revenue;
      }
    }
    return { sources, products, quarters };
  },

  merge(cubes) {
    const merged = empty();
    for (const cube of cubes) {
      merged.sources.addAll(cube.sources);
      merged.products.addAll(cube.products);
      merged.quarters.addAll(cube.quarters);
    }
    return merged;
  },

  bound: ({ sources, products, quarters }) => ({
    sources: sources.bounded([["revenue", "purchases"], ["sessions"]], foldOrigin),
    products: boundedProducts(products),
    quarters, // a month has 2,976 at most
  }),

  encode: ({ sources, products, quarters }) =>
    pack({
      v: 1,
      sources: sources.toColumns(),
      products: products.toColumns(),
      quarters: quarters.toColumns(),
    }),

  decode(bytes) {
    const columns = unpack(bytes) as Record<keyof RevenueCube, Columns>;
    const cube = empty();
    cube.sources.load(columns.sources);
    cube.products.load(columns.products);
    cube.quarters.load(columns.quarters);
    return cube;
  },
};
