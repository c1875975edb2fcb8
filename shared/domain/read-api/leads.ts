import * as z from "zod";
import type { LeadsCube } from "../analytics/facets/leads";
import { originRows } from "../analytics/facets/origins";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/leads` (contract: "Response of GET /v1/leads"). */
const leadsSchema = z.object({
  period: periodSchema,
  totals: z.object({ leads: count("Leads in the range.") }),
  by_source: z
    .array(z.object({ ...sourceColumns, leads: count("Leads credited to the source.") }))
    .describe("Most leads first; rows sum to the total."),
});

export const leadsOperation: Operation<z.infer<typeof leadsSchema>> = {
  name: "leads",
  summary: "Leads: in all and by source",
  description:
    "How many leads came in, and from which sources; counts only, never people. For leads to purchase divide `totals.purchases` of /v1/revenue by `totals.leads`; for visits per lead use /v1/overview, which has visits and leads by source.",
  response: leadsSchema,
  example: {
    period: EXAMPLE_PERIOD,
    totals: { leads: 96 },
    by_source: [
      { source: "google", channel: "Paid Search", leads: 41 },
      { source: "facebook", channel: "Paid Social", leads: 38 },
      { source: "(direct)", channel: "Direct", leads: 15 },
      { source: "(none)", channel: "Unattributed", leads: 2 },
    ],
  },
};

/** Rows by leads (decisions: "Row order"). */
export const leadsBody = (cube: LeadsCube): Omit<z.infer<typeof leadsSchema>, "period"> => ({
  totals: { leads: cube.total("leads") },
  by_source: originRows(cube).sort(descending([(row) => row.leads], bySourceName)),
});
