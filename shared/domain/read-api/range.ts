import { ApiError } from "../errors";
import type { Instant } from "../instant";
import { type CalendarDate, type DayNumber, formatDate, parseDate } from "./calendar-date";
import { parameter } from "./parameters";
import { DEFAULT_PERIOD, isPeriodName, NAMED_PERIODS, type Period, type PeriodName } from "./period";
import { findZone, type Zone } from "./zone";

/** Local days as they were asked for, and the instants they are made of. */
export interface DateRange {
  /** To be echoed in the answer. */
  readonly period: Period;
  /** The first instant of the local date `period.from`, but not before 1970, when nothing was recorded. */
  readonly start: Instant;
  /** The first instant after the local date `period.to`. */
  readonly end: Instant;
}

/** A local day of a range: the instants in [start, end); none for a date that the zone skipped, or before 1970. */
export interface LocalDay {
  readonly date: CalendarDate;
  readonly start: Instant;
  readonly end: Instant;
}

interface Days {
  readonly first: DayNumber;
  readonly last: DayNumber;
}

/** Days in the widest range (contract: "Limits"): 366, both ends included. */
export const MAX_DAYS = 366;

/**
 * The range that `period`, `from`, `to` and `timezone` ask for at `now`. Throws, in this order, BAD_PERIOD,
 * BAD_DATE_FORMAT, INVERTED_RANGE, RANGE_TOO_WIDE, BAD_TIMEZONE (decisions: "Order of checks"). With a
 * `period`, `from` and `to` are not looked at. Any date from 0000-01-01 to 9999-12-31 may be asked for, also in the future.
 */
export function readRange(query: URLSearchParams, now: Instant): DateRange {
  const name = parameter(query, "period");
  if (name !== undefined && !isPeriodName(name)) throw new ApiError("BAD_PERIOD");
  const dates = name === undefined ? readDates(query) : null;
  const zone = findZone(parameter(query, "timezone") ?? "UTC");
  if (!zone) throw new ApiError("BAD_TIMEZONE");
  const { first, last } = dates ?? namedDays(name ?? DEFAULT_PERIOD, zone.dayOf(now));
  return {
    period: { from: formatDate(first), to: formatDate(last), timezone: zone.name },
    start: startOf(zone, first),
    end: startOf(zone, last + 1),
  };
}

/** The days from `from` to `to`, or null when neither is given. */
function readDates(query: URLSearchParams): Days | null {
  const [from, to] = [parameter(query, "from"), parameter(query, "to")];
  if (from === undefined && to === undefined) return null;
  const first = parseDate(from ?? "");
  const last = parseDate(to ?? "");
  if (first === null || last === null) throw new ApiError("BAD_DATE_FORMAT");
  if (first > last) throw new ApiError("INVERTED_RANGE");
  if (last - first >= MAX_DAYS) throw new ApiError("RANGE_TOO_WIDE");
  return { first, last };
}

function namedDays(name: PeriodName, today: DayNumber): Days {
  const { days, ago } = NAMED_PERIODS[name];
  return { first: today - ago - days + 1, last: today - ago };
}

/** The local days of `range`, in order: they tile its interval without gap or overlap. For rows by day. */
export function localDays({ period }: DateRange): LocalDay[] {
  const [zone, first, last] = [findZone(period.timezone), parseDate(period.from), parseDate(period.to)];
  if (zone === null || first === null || last === null) throw new RangeError("not a range that was read");
  return Array.from({ length: last - first + 1 }, (_, i) => localDay(zone, first + i));
}

const localDay = (zone: Zone, day: DayNumber): LocalDay => ({
  date: formatDate(day),
  start: startOf(zone, day),
  end: startOf(zone, day + 1),
});

/** Instants that can be recorded, and that buckets have sortable names for: from 1970 to the end of 9999, UTC. */
const RECORDED = { from: 0, until: Date.UTC(10_000, 0, 1) };

/** The first instant of `day` that can be recorded; days before and after all of them are empty. */
const startOf = (zone: Zone, day: DayNumber): Instant =>
  Math.min(Math.max(zone.dayStart(day), RECORDED.from), RECORDED.until);
