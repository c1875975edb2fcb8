import * as z from "zod";
import type { UsersCube } from "../analytics/facets/users";
import { periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/users` (contract: "Response of GET /v1/users"). */
export const usersSchema = z.object({
  period: periodSchema,
  totals: z.object({ unique_visitors: count, returning_visitors: count, new_visitors: count }),
  by_source: z.array(z.object({ ...sourceColumns, visitors: count })),
  by_country: z.array(z.object({ country: z.string(), visitors: count })),
});

/**
 * Rows by visitors (decisions: "Row order"); a visitor seen from several sources or countries is in the row of each.
 * New are those whose first ever visit began in the range; returning = unique - new.
 */
export function usersBody({
  sources,
  countries,
  newcomers,
}: UsersCube): Omit<z.infer<typeof usersSchema>, "period"> {
  const unique = countries.countAll();
  return {
    totals: { unique_visitors: unique, returning_visitors: unique - newcomers, new_visitors: newcomers },
    by_source: sources
      .entries()
      .map(({ key: [source = "", channel = ""], visitors }) => ({ source, channel, visitors }))
      .sort(descending([(row) => row.visitors], bySourceName)),
    by_country: countries
      .entries()
      .map(({ key: [country = ""], visitors }) => ({ country, visitors }))
      .sort(descending([(row) => row.visitors], [(row) => row.country])),
  };
}
