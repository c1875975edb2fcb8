/** A question as people ask it, the calls that answer it, and what to make of what they answer. */
export interface Question {
  readonly asked: string;
  readonly calls: readonly string[];
  readonly answer: string;
}

/** Examples for `llms.txt`. A test holds every call against the rules that requests are read by. */
export const QUESTIONS: readonly Question[] = [
  {
    asked: "How is the site doing this week?",
    calls: ["/v1/overview?site_id=1&period=last_7d&timezone=Europe/Berlin"],
    answer: "`totals` are the figures; `by_source` says where they come from.",
  },
  {
    asked: "Which channel earns most per visit?",
    calls: ["/v1/overview?site_id=1&period=last_30d"],
    answer:
      "Add `revenue` and `sessions` of the `by_source` rows of each `channel`, then divide revenue by sessions.",
  },
  {
    asked: "Did revenue go up from October to November?",
    calls: [
      "/v1/revenue?site_id=1&from=2026-10-01&to=2026-10-31&timezone=America/New_York",
      "/v1/revenue?site_id=1&from=2026-11-01&to=2026-11-30&timezone=America/New_York",
    ],
    answer:
      "Compare `totals.revenue`: (second - first) / first * 100 is the change in percent. Use the same `timezone` in both calls.",
  },
  {
    asked: "How many leads become purchases?",
    calls: ["/v1/leads?site_id=1&period=last_90d", "/v1/revenue?site_id=1&period=last_90d"],
    answer: "`totals.purchases` of the second divided by `totals.leads` of the first, times 100.",
  },
  {
    asked: "What was the best day of the last 30?",
    calls: ["/v1/revenue?site_id=1&period=last_30d&timezone=Asia/Tokyo"],
    answer: "The row of `by_day` with the most `revenue`. Days without purchases are there too, as zeros.",
  },
  {
    asked: "Which pages lose people?",
    calls: ["/v1/pages?site_id=1&period=last_30d&limit=50"],
    answer: "Rows with many `pageviews`, a high `bounce_rate_pct` and a low `avg_time_on_page_seconds`.",
  },
  {
    asked: "What do people who come from Facebook buy?",
    calls: ["/v1/products?site_id=1&period=last_90d"],
    answer: "The row of `by_source` whose `source` is `facebook`: `top_product_name` is what earned most.",
  },
  {
    asked: "Do visitors come back, and from where in the world?",
    calls: ["/v1/users?site_id=1&period=last_30d"],
    answer:
      "`totals.returning_visitors` divided by `totals.unique_visitors`, times 100, is the share that came back; `by_country` is where visitors were.",
  },
  {
    asked: "Where in the checkout do people give up?",
    calls: ["/v1/funnels?site_id=1&period=last_30d"],
    answer: "In each funnel the step with the lowest `conversion_from_previous_pct` after the first.",
  },
];
