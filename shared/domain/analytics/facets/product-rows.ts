import { type FigureTable, type Key, OTHER } from "./figure-table";

/**
 * What the names of the products that a ranking keeps may take together, in UTF-16 units: an answer has those of two rankings, and a
 * name of strange characters takes four bytes a unit once it stands in a function's result, which holds 6 MB.
 */
const MAX_NAME_UNITS = 250_000;

/** Figures by sku and product name, bounded: alike wherever they are shown, so that answers agree. */
export const boundedProducts = (
  products: FigureTable<"units" | "revenue">,
): FigureTable<"units" | "revenue"> =>
  products.bounded([["revenue", "units"], ["units"]], (): Key => [OTHER, OTHER], MAX_NAME_UNITS);
