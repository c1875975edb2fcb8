import type { Bodies } from "./ask-all";

/**
 * The laws that hold between the answers of the endpoints to one question, whatever was folded into `(other)`: totals are the
 * sums of rows and the same everywhere, and so are the figures of every channel (decisions: "Sums agree").
 */
export function expectAgreement({ overview, revenue, leads, products, users }: Bodies): void {
  const { totals } = overview;
  for (const figure of ["sessions", "leads", "purchases"] as const)
    expect(sum(overview.by_source, figure)).toBe(totals[figure]);
  expect(leads.totals.leads).toBe(totals.leads);
  expect(sum(leads.by_source, "leads")).toBe(totals.leads);
  expect(revenue.totals).toMatchObject({ revenue: totals.revenue, purchases: totals.purchases });
  for (const rows of [revenue.by_source, revenue.by_day])
    expect(sum(rows, "purchases")).toBe(totals.purchases);
  for (const rows of [overview.by_source, revenue.by_source, revenue.by_day])
    expectMoney(sum(rows, "revenue"), totals.revenue, rows.length);

  expect(byChannel(leads.by_source, "leads")).toEqual(byChannel(overview.by_source, "leads"));
  expect(byChannel(revenue.by_source, "purchases")).toEqual(byChannel(overview.by_source, "purchases"));

  expect(
    products.products.map(({ average_price, units_sold: units, ...row }) => ({ ...row, units })),
  ).toEqual(revenue.by_product);
  const rows = products.products.length + products.by_source.length;
  expectMoney(sum(products.by_source, "revenue"), sum(products.products, "revenue"), rows);

  expect(users.totals.unique_visitors).toBe(totals.unique_visitors);
  expect(users.totals.new_visitors + users.totals.returning_visitors).toBe(totals.unique_visitors);
}

const sum = <Figure extends string>(rows: readonly Record<Figure, number>[], figure: Figure): number =>
  rows.reduce((total, row) => total + row[figure], 0);

/** Rows are rounded to cents one by one. */
const expectMoney = (actual: number, expected: number, rows: number): void =>
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(0.005 * (rows + 1) + Math.abs(expected) * 1e-12);

/** A figure by channel, of those that have any of it. */
const byChannel = <Figure extends string>(
  rows: readonly ({ channel: string } & Record<Figure, number>)[],
  figure: Figure,
): Map<string, number> => {
  const channels = Map.groupBy(rows, ({ channel }) => channel);
  const sums = [...channels].map(([channel, some]) => [channel, sum(some, figure)] as const);
  return new Map(sums.filter(([, total]) => total > 0));
};
