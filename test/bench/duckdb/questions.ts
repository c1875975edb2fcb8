import type { Interval } from "../../../shared/domain/analytics/plan";
import type { FunnelStep } from "../../../shared/domain/funnels/funnel";
import type { FunnelDraft } from "../../../shared/domain/funnels/saved-funnels";
import { DAY } from "../../../shared/domain/instant";
import { FUNNELS } from "../site/catalogue";

/** What the questions are written with: money and percentages rounded as the contract has them. */
export const MACROS = [
  "CREATE OR REPLACE TEMP MACRO money(thousandths) AS round(thousandths / 10) / 100",
  "CREATE OR REPLACE TEMP MACRO percent(part, whole) AS CASE WHEN whole = 0 THEN 0 ELSE round(part * 10000 / whole) / 100 END",
];

/** Each question in SQL: one row, one column, the answer's body as JSON without its period. Days are of UTC. */
export const QUESTIONS_IN_SQL: Readonly<Record<string, (interval: Interval) => string>> = {
  overview: (interval) => `
    WITH counted AS (
      SELECT source, channel, count(*) AS sessions, 0 AS pageviews, 0 AS revenue, 0 AS leads, 0 AS purchases
      FROM visits WHERE ${within(interval)} GROUP BY ALL
      UNION ALL
      SELECT source, channel, 0, count(*), 0, 0, 0 FROM pageviews WHERE ${within(interval)} GROUP BY ALL
      UNION ALL
      SELECT source, channel, 0, 0, coalesce(sum(value) FILTER (type = 'Purchase'), 0),
        count(*) FILTER (type = 'Lead'), count(*) FILTER (type = 'Purchase')
      FROM conversions WHERE ${within(interval)} AND type IN ('Lead', 'Purchase') GROUP BY ALL
    ),
    sources AS (
      SELECT source, channel, sum(sessions) AS sessions, sum(pageviews) AS pageviews, sum(revenue) AS revenue,
        sum(leads) AS leads, sum(purchases) AS purchases
      FROM counted GROUP BY ALL
    )
    SELECT to_json({
      totals: {
        sessions: coalesce(sum(sessions), 0),
        unique_visitors: (SELECT count(DISTINCT visitor) FROM pageviews WHERE ${within(interval)}),
        pageviews: coalesce(sum(pageviews), 0), revenue: money(coalesce(sum(revenue), 0)),
        leads: coalesce(sum(leads), 0), purchases: coalesce(sum(purchases), 0)
      },
      by_source: ${rows(
        "{source: source, channel: channel, sessions: sessions, revenue: money(revenue), leads: leads, purchases: purchases}",
        "sessions DESC, sources.revenue DESC, source, channel",
      )}
    }) FROM sources`,

  revenue: (interval) => `
    WITH sales AS (SELECT * FROM conversions WHERE ${within(interval)} AND type = 'Purchase'),
    counted AS (
      SELECT source, channel, count(*) AS sessions, 0 AS purchases, 0 AS revenue
      FROM visits WHERE ${within(interval)} GROUP BY ALL
      UNION ALL
      SELECT source, channel, 0, count(*), sum(value) FROM sales GROUP BY ALL
    ),
    sources AS (
      SELECT source, channel, sum(sessions) AS sessions, sum(purchases) AS purchases, sum(revenue) AS revenue
      FROM counted GROUP BY ALL
    ),
    products AS (
      SELECT sku, name, sum(units) AS units, sum(revenue) AS revenue
      FROM product_lines WHERE ${within(interval)} GROUP BY ALL
    ),
    days AS (
      SELECT day, count(value) AS purchases, coalesce(sum(value), 0) AS revenue
      FROM range(${interval.start / DAY}, ${interval.end / DAY}) AS days(day) LEFT JOIN sales ON ms // ${DAY} = day
      GROUP BY day
    )
    SELECT to_json({
      totals: (
        SELECT {revenue: money(coalesce(sum(value), 0)), purchases: count(*),
          average_order_value: CASE WHEN count(*) = 0 THEN 0 ELSE money(sum(value) / count(*)) END}
        FROM sales
      ),
      by_source: (SELECT ${rows(
        "{source: source, channel: channel, revenue: money(revenue), purchases: purchases, conversion_rate_pct: percent(purchases, sessions)}",
        "sources.revenue DESC, source, channel",
      )} FROM sources),
      by_product: (SELECT ${rows(
        "{sku: sku, product_name: name, revenue: money(revenue), units: units}",
        "products.revenue DESC, sku, name",
      )} FROM products),
      by_day: (SELECT ${rows(
        "{date: strftime(make_timestamp(day * 86400000000), '%Y-%m-%d'), revenue: money(revenue), purchases: purchases}",
        "day",
      )} FROM days)
    })`,

  leads: (interval) => `
    WITH sources AS (
      SELECT source, channel, count(*) AS leads
      FROM conversions WHERE ${within(interval)} AND type = 'Lead' GROUP BY ALL
    )
    SELECT to_json({
      totals: {leads: coalesce(sum(leads), 0)},
      by_source: ${rows("{source: source, channel: channel, leads: leads}", "leads DESC, source, channel")}
    }) FROM sources`,

  pages: (interval) => `
    WITH top AS (
      SELECT path, count(*) AS pageviews
      FROM pageviews WHERE ${within(interval)} GROUP BY path ORDER BY pageviews DESC, path LIMIT 25
    ),
    viewers AS (
      SELECT path, count(DISTINCT visitor) AS visitors
      FROM pageviews SEMI JOIN top USING (path) WHERE ${within(interval)} GROUP BY path
    ),
    read_for AS (
      SELECT path, sum(visible_ms) / count(*) AS ms
      FROM attentions SEMI JOIN top USING (path) WHERE ${within(interval)} GROUP BY path
    ),
    entries AS (
      SELECT path, count(*) AS entries, count(*) FILTER (engagements.visit IS NULL) AS bounces
      FROM (SELECT path, visit FROM visits SEMI JOIN top USING (path) WHERE ${within(interval)}) AS entered
      LEFT JOIN (SELECT visit FROM engagements WHERE ${within(interval)}) AS engagements USING (visit)
      GROUP BY path
    )
    SELECT to_json({pages: ${rows(
      `{path: path, pageviews: pageviews, unique_visitors: visitors,
        avg_time_on_page_seconds: round(coalesce(read_for.ms, 0) / 10) / 100,
        bounce_rate_pct: percent(coalesce(bounces, 0), coalesce(entries, 0))}`,
      "top.pageviews DESC, path",
    )}})
    FROM top JOIN viewers USING (path) LEFT JOIN read_for USING (path) LEFT JOIN entries USING (path)`,

  products: (interval) => `
    WITH lines AS (
      SELECT source, channel, sku, product_lines.name, sum(units) AS units, sum(revenue) AS revenue
      FROM product_lines JOIN conversions USING (event)
      WHERE ${within(interval, "product_lines")} AND ${within(interval, "conversions")} GROUP BY ALL
    ),
    products AS (SELECT sku, name, sum(units) AS units, sum(revenue) AS revenue FROM lines GROUP BY ALL),
    ranked AS (
      SELECT *, row_number() OVER (PARTITION BY source, channel ORDER BY revenue DESC, sku, name) AS rank,
        sum(revenue) OVER (PARTITION BY source, channel) AS of_source
      FROM lines
    )
    SELECT to_json({
      products: (SELECT ${rows(
        "{sku: sku, product_name: name, units_sold: units, revenue: money(revenue), average_price: money(products.revenue / units)}",
        "products.revenue DESC, sku, name",
      )} FROM products),
      by_source: (SELECT ${rows(
        "{source: source, channel: channel, top_product_sku: sku, top_product_name: name, revenue: money(of_source)}",
        "of_source DESC, source, channel",
      )} FROM ranked WHERE rank = 1)
    })`,

  users: (interval) => `
    WITH sources AS (
      SELECT source, channel, count(DISTINCT visitor) AS visitors
      FROM pageviews WHERE ${within(interval)} GROUP BY ALL
    ),
    countries AS (
      SELECT country, count(DISTINCT visitor) AS visitors FROM pageviews WHERE ${within(interval)} GROUP BY ALL
    ),
    totals AS (
      SELECT (SELECT count(DISTINCT visitor) FROM pageviews WHERE ${within(interval)}) AS everyone,
        (SELECT count(DISTINCT visitor) FROM visits WHERE ${within(interval)} AND is_first) AS newcomers
    )
    SELECT to_json({
      totals: (SELECT {unique_visitors: everyone, returning_visitors: everyone - newcomers, new_visitors: newcomers} FROM totals),
      by_source: (SELECT ${rows(
        "{source: source, channel: channel, visitors: visitors}",
        "visitors DESC, source, channel",
      )} FROM sources),
      by_country: (SELECT ${rows("{country: country, visitors: visitors}", "visitors DESC, country")} FROM countries)
    })`,

  funnels: (interval) => `
    WITH ${FUNNELS.flatMap((funnel, f) => funnelSteps(funnel, f, interval)).join(", ")}
    SELECT to_json({funnels: [${FUNNELS.map(funnelRow).join(", ")}]})`,
};

/** Every visit begins with a page view, so those who were there are those with a page view. */
const within = ({ start, end }: Interval, table?: string): string => {
  const ms = table ? `${table}.ms` : "ms";
  return `${ms} >= ${start} AND ${ms} < ${end}`;
};

const rows = (row: string, order: string): string => `coalesce(list(${row} ORDER BY ${order}), [])`;

/** Who did each step, and when first after the step before: the earliest instant leaves most room for what follows. */
const funnelSteps = ({ steps }: FunnelDraft, f: number, interval: Interval): string[] =>
  steps.map((step, s) => {
    const after =
      s === 0 ? "" : `JOIN f${f}s${s - 1} AS before ON before.visitor = did.visitor AND did.ms > before.ms`;
    const { table, matches } = does(step);
    return `f${f}s${s} AS MATERIALIZED (
      SELECT did.visitor, min(did.ms) AS ms FROM ${table} AS did ${after}
      WHERE ${within(interval, "did")} AND ${matches} AND did.visitor IS NOT NULL GROUP BY did.visitor
    )`;
  });

function does({ matches }: FunnelStep): { table: string; matches: string } {
  if ("event" in matches) return { table: "conversions", matches: `did.name = '${matches.event}'` };
  const { page } = matches;
  return {
    table: "pageviews",
    matches: page.endsWith("*") ? `starts_with(did.path, '${page.slice(0, -1)}')` : `did.path = '${page}'`,
  };
}

function funnelRow({ name, steps }: FunnelDraft, f: number): string {
  const visitors = steps.map((_, s) => `(SELECT count(*) FROM f${f}s${s})`);
  const rows = steps.map((step, s) => {
    const rate = s === 0 ? "100" : `percent(${visitors[s]}, ${visitors[s - 1]})`;
    return `{step_name: '${step.name}', visitors: ${visitors[s]}, conversion_from_previous_pct: ${rate}}`;
  });
  const overall = `percent(${visitors.at(-1)}, ${visitors[0]})`;
  return `{id: ${f + 1}, name: '${name}', steps: [${rows.join(", ")}], overall_conversion_pct: ${overall}}`;
}
