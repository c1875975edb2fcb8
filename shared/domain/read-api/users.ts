import * as z from "zod";
import type { UsersCube } from "../analytics/facets/users";
import type { Operation } from "./operation";
import { EXAMPLE_PERIOD, periodSchema } from "./period";
import { bySourceName, count, descending, sourceColumns } from "./rows";

/** Body of `GET /v1/users` (contract: "Response of GET /v1/users"). */
const usersSchema = z.object({
  period: periodSchema,
  totals: z.object({
    unique_visitors: count("Distinct visitors of the range, each counted once."),
    returning_visitors: count("Those whose first ever visit began before the range."),
    new_visitors: count("Those whose first ever visit began in the range."),
  }),
  by_source: z
    .array(z.object({ ...sourceColumns, visitors: count("Distinct visitors seen from the source.") }))
    .describe("Most visitors first; who came from several sources is in the row of each."),
  by_country: z
    .array(
      z.object({
        country: z
          .string()
          .describe("Two-letter code (ISO 3166-1), `(unknown)`, or `(other)` for small ones together."),
        visitors: count("Distinct visitors seen in the country."),
      }),
    )
    .describe("Most visitors first; who was in several countries is in the row of each."),
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
    by_source: [
      { source: "google", channel: "Paid Search", visitors: 512 },
      { source: "facebook", channel: "Paid Social", visitors: 448 },
      { source: "(direct)", channel: "Direct", visitors: 371 },
    ],
    by_country: [
      { country: "DE", visitors: 640 },
      { country: "US", visitors: 422 },
      { country: "(unknown)", visitors: 255 },
    ],
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
