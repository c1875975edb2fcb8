import * as z from "zod";
import type { LeadsCube } from "../analytics/facets/leads";
import { originRows } from "../analytics/facets/origins";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/leads` (contract: "Response of GET /v1/leads"). */
const leadsSchema = z.object({
  period: periodSchema,
  totals: z.object({ leads: count }),
  by_source: z.array(z.object({ ...sourceColumns, leads: count })),
});

export const leadsOperation: Operation<z.infer<typeof leadsSchema>> = {
  name: "leads",
  summary: "Leads: in all and by source",
  description: "Counts only, never people. Leads per visit: divide by `sessions` of `/v1/overview`.",
  response: leadsSchema,
  example: {
    period: EXAMPLE_PERIOD,
    totals: { leads: 96 },
    by_source: [{ source: "google", channel: "Paid Search", leads: 41 }],
  },
};

/** Rows by leads (decisions: "Row order"). */
export const leadsBody = (cube: LeadsCube): Omit<z.infer<typeof leadsSchema>, "period"> => ({
  totals: { leads: cube.total("leads") },
  by_source: originRows(cube).sort(descending([(row) => row.leads], bySourceName)),
});
