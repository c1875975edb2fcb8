import { pack, unpack } from "../codec";
import type { Facet } from "./facet";
import { type Columns, FigureTable, type Key, OTHER } from "./figure-table";

/** What `/v1/products` is made of: units and revenue (Money) by source, channel, sku and product name. */
export type ProductsCube = FigureTable<ProductField>;

export type ProductField = (typeof FIELDS)[number];

const FIELDS = ["units", "revenue"] as const;

export const products: Facet<ProductsCube> = {
  name: "products",

  fold({ conversions }) {
    const purchases = conversions.filter((fact) => fact.type === "Purchase" && fact.products.length > 0);
    if (purchases.length === 0) return null;
    const rows = new FigureTable(FIELDS);
    for (const { source, channel, products } of purchases) {
      for (const line of products) {
        const row = rows.at([source, channel, line.sku, line.name]);
        row.units += line.units;
        row.revenue += line.revenue;
      }
    }
    return rows;
  },

  merge(cubes) {
    const rows = new FigureTable(FIELDS);
    for (const cube of cubes) rows.addAll(cube);
    return rows;
  },

  /** Products left out are folded within their source while sources are few enough, else within their channel. */
  bound: (cube) =>
    cube
      .bounded(RANKINGS, ([source = "", channel = ""]): Key => [source, channel, OTHER, OTHER])
      .bounded(RANKINGS, ([, channel = ""]): Key => [OTHER, channel, OTHER, OTHER]),

  encode: (cube) => pack({ v: 1, rows: cube.toColumns() }),
  decode: (bytes) => new FigureTable(FIELDS).load((unpack(bytes) as { rows: Columns }).rows),
};

const RANKINGS: readonly (readonly ProductField[])[] = [["revenue", "units"], ["units"]];
