import * as z from "zod";
import type { UsersCube } from "../analytics/facets/users";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/users` (contract: "Response of GET /v1/users"). */
const usersSchema = z.object({
  period: periodSchema,
  totals: z.object({ unique_visitors: count, returning_visitors: count, new_visitors: count }),
  by_source: z.array(z.object({ ...sourceColumns, visitors: count })),
  by_country: z.array(z.object({ country: z.string(), visitors: count })),
});

export const usersOperation: Operation<z.infer<typeof usersSchema>> = {
  name: "users",
  summary: "Unique, new and returning visitors: in all, by source and by country",
  description:
    "Exact over the whole range. New visitors are those whose first ever visit began in the range; returning are the others. A visitor seen from two sources or countries is in both rows, so rows may sum to more than the total.",
  response: usersSchema,
  example: {
    period: EXAMPLE_PERIOD,
    totals: { unique_visitors: 1312, returning_visitors: 402, new_visitors: 910 },
    by_source: [{ source: "google", channel: "Paid Search", visitors: 512 }],
    by_country: [{ country: "DE", visitors: 640 }],
  },
};

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
