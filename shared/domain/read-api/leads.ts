import * as z from "zod";
import type { LeadsCube } from "../analytics/facets/leads";
import { originRows } from "../analytics/facets/origins";
import { periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/leads` (contract: "Response of GET /v1/leads"). */
export const leadsSchema = z.object({
  period: periodSchema,
  totals: z.object({ leads: count }),
  by_source: z.array(z.object({ ...sourceColumns, leads: count })),
});

/** Rows by leads (decisions: "Row order"). */
export const leadsBody = (cube: LeadsCube): Omit<z.infer<typeof leadsSchema>, "period"> => ({
  totals: { leads: cube.total("leads") },
  by_source: originRows(cube).sort(descending([(row) => row.leads], bySourceName)),
});
