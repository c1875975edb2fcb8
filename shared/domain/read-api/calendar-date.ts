import { DAY } from "../instant";

/** A date of the calendar, `YYYY-MM-DD`, in no zone. */
export type CalendarDate = string;

/** A calendar date as the number of days since 1970-01-01; consecutive dates are consecutive numbers. */
export type DayNumber = number;

const SHAPE = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

/**
 * The day `text` names, or null unless it is exactly `YYYY-MM-DD` in ASCII digits and on the calendar: 2026-02-30 is
 * not. Years 0000 to 9999 (proleptic Gregorian, as ISO 8601 has it).
 */
export function parseDate(text: string): DayNumber | null {
  if (!SHAPE.test(text)) return null;
  const day = Date.parse(`${text}T00:00:00Z`) / DAY;
  return Number.isInteger(day) && formatDate(day) === text ? day : null;
}

export const formatDate = (day: DayNumber): CalendarDate => new Date(day * DAY).toISOString().slice(0, 10);
