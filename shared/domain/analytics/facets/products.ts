import { pack, unpack } from "../codec";
import type { Facet } from "./facet";
import { type Columns, FigureTable, type Key, MAX_ROWS } from "./figure-table";
import { foldOrigin, originKey } from "./origins";
import { boundedProducts } from "./product-rows";

/** What `/v1/products` is made of. Revenue is Money. */
export interface ProductsCube {
  /** By sku and product name. */
  readonly products: FigureTable<"units" | "revenue">;
  /** Of products, by source and channel. */
  readonly sources: FigureTable<"revenue">;
  /**
   * By source, channel, sku and product name, to tell the top product of each source. A table apart, because there are as many
   * as sources times products: it is cut short long before one of the others is.
   */
  readonly sellers: FigureTable<"revenue">;
}

const PRODUCT_FIELDS = ["units", "revenue"] as const;
const REVENUE = ["revenue"] as const;

const empty = (): ProductsCube => ({
  products: new FigureTable(PRODUCT_FIELDS),
  sources: new FigureTable(REVENUE),
  sellers: new FigureTable(REVENUE),
});

export const products: Facet<ProductsCube> = {
  name: "products",

  fold({ conversions }) {
    const purchases = conversions.filter((fact) => fact.type === "Purchase" && fact.products.length > 0);
    if (purchases.length === 0) return null;
    const cube = empty();
    for (const purchase of purchases) {
      const origin = originKey(purchase);
      for (const { sku, name, units, revenue } of purchase.products) {
        const product = cube.products.at([sku, name]);
        product.units += units;
        product.revenue += revenue;
        cube.sources.at(origin).revenue += revenue;
        cube.sellers.at([...origin, sku, name]).revenue += revenue;
      }
    }
    return cube;
  },

  merge(cubes) {
    const merged = empty();
    for (const cube of cubes) {
      merged.products.addAll(cube.products);
      merged.sources.addAll(cube.sources);
      merged.sellers.addAll(cube.sellers);
    }
    return merged;
  },

  bound(cube) {
    const sources = cube.sources.bounded([REVENUE], foldOrigin);
    return { products: boundedProducts(cube.products), sources, sellers: bestSellers(cube.sellers, sources) };
  },

  encode: ({ products, sources, sellers }) =>
    pack({
      v: 2,
      products: products.toColumns(),
      sources: sources.toColumns(),
      sellers: sellers.toColumns(),
    }),

  decode(bytes) {
    const columns = unpack(bytes) as Record<keyof ProductsCube, Columns>;
    const cube = empty();
    cube.products.load(columns.products);
    cube.sources.load(columns.sources);
    cube.sellers.load(columns.sellers);
    return cube;
  },
};

const MAX_SELLERS = 2 * MAX_ROWS;
/** Of their names together, in UTF-16 units: those that an answer shows are among them. */
const MAX_SELLER_UNITS = 250_000;

/**
 * Of each source its best sellers, as many as there is room for: the best of every source before the second of any. What is
 * left out is counted in the other tables all the same.
 */
function bestSellers(
  all: ProductsCube["sellers"],
  sources: ProductsCube["sources"],
): ProductsCube["sellers"] {
  const kept = new Set(sources.entries().map(({ key }) => JSON.stringify(key)));
  const sellers = new FigureTable(REVENUE);
  for (const { key, figures } of all.entries()) {
    const [origin, product] = [key.slice(0, 2), key.slice(2)];
    const row = sellers.at([...(kept.has(JSON.stringify(origin)) ? origin : foldOrigin(origin)), ...product]);
    row.revenue += figures.revenue;
  }
  const ranks = new Map<string, number>();
  const ranked = sellers
    .entries()
    .sort((a, b) => b.figures.revenue - a.figures.revenue || compareKeys(a.key, b.key))
    .map(({ key, figures }) => {
      const origin = JSON.stringify(key.slice(0, 2));
      const rank = ranks.get(origin) ?? 0;
      ranks.set(origin, rank + 1);
      return { key, figures, rank };
    })
    .sort((a, b) => a.rank - b.rank);
  let room = MAX_SELLER_UNITS;
  const best = new FigureTable(REVENUE);
  for (const { key, figures } of ranked.slice(0, MAX_SELLERS)) {
    room -= key.join("").length;
    if (room < 0) break;
    best.at(key).revenue += figures.revenue;
  }
  return best;
}

function compareKeys(a: Key, b: Key): number {
  const part = a.findIndex((text, i) => text !== b[i]);
  return part < 0 ? 0 : (a[part] ?? "") < (b[part] ?? "") ? -1 : 1;
}
