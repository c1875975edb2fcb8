import { QUARTER } from "../analytics/bucket";
import { BoundedMap } from "../bounded-map";
import { DAY, type Instant, SECOND } from "../instant";
import type { DayNumber } from "./calendar-date";

/** Where one local day ends and the next begins in a time zone. */
export interface Zone {
  /** The IANA name to echo. */
  readonly name: string;
  /**
   * The first instant at which the zone's calendar shows `day` or a later date, whatever the offset does that day: the
   * first of two midnights, the first moment after a midnight that is skipped, and for a date that the zone skipped
   * altogether the start of the next one, so that it is an empty day. Rounded to the nearest quarter hour, the smallest
   * bucket of the analytics, which moves nothing since October 1979, when Kiritimati gave up the last offset that is
   * not a multiple of it.
   */
  dayStart(day: DayNumber): Instant;
  /** The day that holds `at`, that is, `dayStart(day) <= at < dayStart(day + 1)`. */
  dayOf(at: Instant): DayNumber;
}

const zones = new BoundedMap<string, Zone>(200);

/**
 * The zone with the IANA name `name`, or null when there is none. Case does not matter, as RFC 9557 has it. Links
 * (`Asia/Kolkata`, `US/Eastern`) are zones and keep their name; only a name the platform itself prefers is put into its
 * usual case. Offsets (`+05:30`) are not names, nor are abbreviations outside the IANA list: a platform may
 * take `BST` for Bangladesh, and no answer is better than another country's.
 */
export function findZone(name: string): Zone | null {
  const known = zones.get(name);
  if (known) return known;
  if (!LOOKS_LIKE_A_NAME.test(name) || !(name.includes("/") || SINGLE_WORDS.has(name.toLowerCase())))
    return null;
  const clock = wallClock(name);
  if (!clock) return null;
  const { timeZone } = clock.resolvedOptions();
  const zone = createZone(timeZone.toLowerCase() === name.toLowerCase() ? timeZone : name, clock);
  zones.set(name, zone);
  return zone;
}

const LOOKS_LIKE_A_NAME = /^(?!SystemV\/)[A-Za-z][A-Za-z0-9_+/-]{1,63}$/i;

/** The names of the IANA database without a slash. */
const SINGLE_WORDS = new Set(
  (
    "cet cst6cdt cuba eet est est5edt egypt eire gb gb-eire gmt gmt+0 gmt-0 gmt0 greenwich hst hongkong iceland iran " +
    "israel jamaica japan kwajalein libya met mst mst7mdt nz nz-chat navajo prc pst8pdt poland portugal roc rok " +
    "singapore turkey uct utc universal w-su wet zulu"
  ).split(" "),
);

/** What the clocks of a zone show, in a form {@link readWall} reads; null when the platform knows no such zone. */
function wallClock(timeZone: string): Intl.DateTimeFormat | null {
  const twoDigits = {
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  } as const;
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone, hourCycle: "h23", year: "numeric", ...twoDigits });
  } catch {
    return null;
  }
}

const WALL = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;

/** Reads `11/21/2026, 14:05:00` as if it were UTC. */
function readWall(text: string): Instant {
  const [, month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = (WALL.exec(text) ?? []).map(
    Number,
  );
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** No zone changed its clocks before this, so that earlier instants have its offsets (and never a year BC to read). */
const FIRST_CHANGE = Date.UTC(1800, 0, 1);

function createZone(name: string, clock: Intl.DateTimeFormat): Zone {
  const offsets = new BoundedMap<Instant, number>(2_000);
  const starts = new BoundedMap<DayNumber, Instant>(2_000);

  /** What the clocks show minus UTC, in milliseconds. `at` is a whole second. */
  function offsetAt(at: Instant): number {
    const asked = Math.max(at, FIRST_CHANGE);
    return readWall(clock.format(asked)) - asked;
  }

  /**
   * The first instant in (from, to] at which the offset is no longer `offset`, or null. Sees only where it ends up:
   * a change taken back within the two days that are searched would be missed; the IANA database has none.
   */
  function nextChange(from: Instant, to: Instant, offset: number): Instant | null {
    if (offsetAt(to) === offset) return null;
    let [before, after] = [from, to];
    while (after - before > SECOND) {
      const middle = before + Math.floor((after - before) / 2 / SECOND) * SECOND;
      if (offsetAt(middle) === offset) before = middle;
      else after = middle;
    }
    return after;
  }

  /** The first instant at which the clocks show `wall` or later: local midnight lies within a day of midnight UTC. */
  function firstShowing(wall: Instant): Instant {
    const until = wall + DAY;
    let from = wall - DAY;
    let offset = offsets.getOrCompute(from, () => offsetAt(wall - DAY));
    if (offset === offsets.getOrCompute(until, () => offsetAt(until))) return wall - offset;
    for (;;) {
      const start = Math.max(from, wall - offset);
      const change = nextChange(from, until, offset);
      if (change === null || start < change) return start;
      from = change;
      offset = offsetAt(change);
    }
  }

  const dayStart = (day: DayNumber): Instant =>
    starts.getOrCompute(day, () => Math.round(firstShowing(day * DAY) / QUARTER) * QUARTER);

  function dayOf(at: Instant): DayNumber {
    const second = Math.floor(at / SECOND) * SECOND;
    let day = Math.floor((second + offsetAt(second)) / DAY);
    while (dayStart(day) > at) day--;
    while (dayStart(day + 1) <= at) day++;
    return day;
  }

  return { name, dayStart, dayOf };
}
