import { MINUTE } from "../../shared/domain/instant";

/**
 * The local days of a time zone, found by looking at what its calendar shows, minute by minute. Shares nothing with the
 * product but the platform's time zone data.
 */

/** ISO date the calendar of `timezone` shows at `at`. */
export function shownDate(timezone: string, at: number): string {
  let calendar = calendars.get(timezone);
  if (!calendar) {
    const digits = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    calendar = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, ...digits });
    calendars.set(timezone, calendar);
  }
  return calendar.format(at);
}
const calendars = new Map<string, Intl.DateTimeFormat>();

/**
 * The first instant at which the calendar shows `date` or a later one (decisions: "Days"). Two days before, no zone's calendar has
 * got there.
 */
export function firstInstantOf(timezone: string, date: string): number {
  const name = `${timezone} ${date}`;
  const known = firsts.get(name);
  if (known !== undefined) return known;
  let at = Date.parse(addDays(date, -2));
  while (shownDate(timezone, at) < date) at += MINUTE;
  firsts.set(name, at);
  return at;
}
const firsts = new Map<string, number>();

export const addDays = (date: string, days: number): string => {
  const moved = new Date(`${date}T00:00:00Z`);
  moved.setUTCDate(moved.getUTCDate() + days);
  return moved.toISOString().slice(0, 10);
};

/** All dates from `from` to `to`, both included. */
export const datesBetween = (from: string, to: string): string[] =>
  from > to ? [] : [from, ...datesBetween(addDays(from, 1), to)];
