/** What an assistant is told of the service when it connects. */
export const INSTRUCTIONS = `Website analytics with attribution: aggregate figures of one site over a range of days. Counts and totals only, no people. Nothing can be changed.

- Call \`sites\` first to learn the site_id, then the tool that has the figure.
- Every answer echoes in \`period\` the days and time zone it is about. Without a period or dates it is the last 30 days, in UTC. Say which days a figure is about.
- To compare two periods, call the tool twice with explicit from and to. A range has at most 366 days.
- Money is in decimal units of the currency it came in, percentages have 2 decimals, unique visitors are exact over the whole range (never add them up over days or rows).
- Revenue per visit: overview, revenue / sessions. Visits per lead: overview, sessions / leads. Leads to purchases: totals.purchases of revenue / totals.leads of leads. conversion_rate_pct of revenue is visits to purchases.
- The source \`(none)\` with channel \`Unattributed\` is what no visit could be found for; \`(other)\` are the many small ones together.
- An error is {error, code}: error says what to change. Answers are kept for 60 seconds.`;
