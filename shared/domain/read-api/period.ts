import * as z from "zod";

/** The range an answer used, as every answer echoes it (contract: "Shared response object `period`"). */
export const periodSchema = z.object({
  from: z.iso.date().describe("First day used, inclusive."),
  to: z.iso.date().describe("Last day used, inclusive."),
  timezone: z.string().describe("IANA time zone used for date bucketing."),
});
export type Period = z.infer<typeof periodSchema>;

export const EXAMPLE_PERIOD: Period = { from: "2026-11-01", to: "2026-11-20", timezone: "Europe/Berlin" };

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
