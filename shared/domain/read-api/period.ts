import * as z from "zod";

/** The range an answer used, as every answer echoes it (contract: "Shared response object `period`"). */
export const periodSchema = z
  .object({
    from: z.iso.date().describe("First day used, inclusive."),
    to: z.iso.date().describe("Last day used, inclusive."),
    timezone: z.string().describe("IANA time zone used for date bucketing."),
  })
  .describe("The range the figures are of, as it was used.");
export type Period = z.infer<typeof periodSchema>;

/** Of the examples of all operations, which are of one imaginary shop: they agree with each other. */
export const EXAMPLE_PERIOD: Period = { from: "2026-11-18", to: "2026-11-20", timezone: "Europe/Berlin" };

/** The named periods: the last `days` local days up to the one `ago` days before today (decisions: "last_Nd"). */
export const NAMED_PERIODS = {
  today: { days: 1, ago: 0 },
  yesterday: { days: 1, ago: 1 },
  last_7d: { days: 7, ago: 0 },
  last_30d: { days: 30, ago: 0 },
  last_90d: { days: 90, ago: 0 },
  last_365d: { days: 365, ago: 0 },
} as const;
export type PeriodName = keyof typeof NAMED_PERIODS;

/** What is read when neither `period` nor `from` and `to` are given (contract: "shared rules", rule 1). */
export const DEFAULT_PERIOD: PeriodName = "last_30d";

export const isPeriodName = (name: string): name is PeriodName => Object.hasOwn(NAMED_PERIODS, name);
