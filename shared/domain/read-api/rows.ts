import * as z from "zod";

/** A whole number of something. */
export const count = (what: string) => z.int().nonnegative().describe(what);
/** Decimal units with 2 places, never cents (contract: "Money and rounding"). */
export const money = (what: string) => z.number().describe(`${what} Decimal dollars, 2 places.`);
/** With 2 decimals. */
export const percentage = (what: string) => z.number().describe(`${what} In percent, 2 decimals.`);

/** The columns every row by source begins with (contract: "Source row"). */
export const sourceColumns = {
  source: z
    .string()
    .describe(
      "Traffic source, e.g. `google`. `(direct)`: came by themselves; `(none)`: a conversion without a visit; `(other)`: small sources together.",
    ),
  channel: z
    .string()
    .describe(
      "Marketing channel of the source, e.g. `Paid Search`, `Organic Social`, `Email`, `Referral`, `Direct`; `Unattributed` for `(none)`.",
    ),
};

/** The columns that name a product. */
export const productColumns = {
  sku: z.string().describe("The product's number in the shop. `(other)`: small products together."),
  product_name: z.string().describe("The product's name as it was reported with the purchase."),
};

type Comparison<Row> = (a: Row, b: Row) => number;

/** Largest first by each figure in turn; what is still equal by name, so that equal data gives equal bytes. */
export function descending<Row>(
  figures: readonly ((row: NoInfer<Row>) => number)[],
  names: readonly ((row: NoInfer<Row>) => string)[],
): Comparison<Row> {
  return (a, b) => {
    for (const figure of figures) if (figure(a) !== figure(b)) return figure(b) - figure(a);
    for (const name of names) if (name(a) !== name(b)) return name(a) < name(b) ? -1 : 1; // by code unit, not locale
    return 0;
  };
}

export const bySourceName: readonly ((row: { source: string; channel: string }) => string)[] = [
  (row) => row.source,
  (row) => row.channel,
];

/**
 * `part` of `whole` in percent with 2 decimals; 0 of nothing (decisions: "Sums agree"). Divides last, so that what lies
 * halfway is halfway: 57 / 800 is 0.07124... in binary, and 7.13 %.
 */
export const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part * 10_000) / whole) / 100;
