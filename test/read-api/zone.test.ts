import * as fc from "fast-check";
import { DAY, HOUR, MINUTE, toIso } from "../../shared/domain/instant";
import { type DayNumber, formatDate, parseDate } from "../../shared/domain/read-api/calendar-date";
import { findZone, type Zone } from "../../shared/domain/read-api/zone";

const QUARTER = 15 * MINUTE;
const ZONES = [...Intl.supportedValuesOf("timeZone"), "UTC", "Asia/Kolkata", "Europe/Kyiv", "US/Eastern"];

const zoneOf = (name: string): Zone => {
  const zone = findZone(name);
  if (!zone) throw new Error(`no zone ${name}`);
  return zone;
};
const dayOf = (date: string): DayNumber => parseDate(date) ?? Number.NaN;

/** Instants of the quarter hour, in which a local day may begin, from a day before to a day after midnight UTC. */
const quartersAround = (day: DayNumber) =>
  Array.from({ length: 193 }, (_, i) => day * DAY - DAY + i * QUARTER);

/** The date that the zone's calendar shows, asked of the platform in another way than the product does. */
function dateShown(timeZone: string) {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  return (at: number) => format.format(at);
}

describe("a day starts at the first instant of its date", () => {
  test.each([
    ["no midnight", "America/Santiago", "2022-09-11", "2022-09-11T04:00Z", 23],
    ["no midnight", "Asia/Tehran", "2022-03-22", "2022-03-21T20:30Z", 23],
    ["two midnights, the first", "America/Havana", "2023-11-05", "2023-11-05T04:00Z", 25],
    ["the last hour twice", "America/Asuncion", "2024-03-23", "2024-03-23T03:00Z", 25],
    ["after the last hour twice", "America/Asuncion", "2024-03-24", "2024-03-24T04:00Z", 24],
    ["three quarters", "Asia/Kathmandu", "2024-01-01", "2023-12-31T18:15Z", 24],
    ["three quarters and a long day", "Pacific/Chatham", "2024-04-07", "2024-04-06T10:15Z", 25],
    ["half an hour of daylight saving", "Australia/Lord_Howe", "2024-04-07", "2024-04-06T13:00Z", 24.5],
    ["a date that did not exist", "Pacific/Apia", "2011-12-30", "2011-12-30T10:00Z", 0],
    ["the date after it", "Pacific/Apia", "2011-12-31", "2011-12-30T10:00Z", 24],
    ["midnight shown again a minute later", "America/St_Johns", "2010-11-07", "2010-11-07T02:30Z", 25],
    ["44:30 minutes, to the nearest quarter", "Africa/Monrovia", "1971-06-01", "1971-06-01T00:45Z", 24],
    ["40 minutes, to the nearest quarter", "Pacific/Kiritimati", "1978-06-01", "1978-06-01T10:45Z", 24],
    ["the first day there is", "UTC", "0000-01-01", "0000-01-01T00:00Z", 24],
    ["the last day there is", "America/New_York", "9999-12-31", "9999-12-31T05:00Z", 24],
  ])("%s: %s %s", (_, name, date, start, hours) => {
    const zone = zoneOf(name);
    expect(toIso(zone.dayStart(dayOf(date)))).toBe(toIso(Date.parse(start)));
    expect(zone.dayStart(dayOf(date) + 1) - zone.dayStart(dayOf(date))).toBe(hours * HOUR);
  });

  test("in every zone, as the platform's calendar shows it", () => {
    const days = fc.integer({ min: dayOf("1980-01-01"), max: dayOf("2060-12-31") });
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), days, (name, day) => {
        const shown = dateShown(name);
        const first = quartersAround(day).find((at) => shown(at) >= formatDate(day));
        expect(zoneOf(name).dayStart(day)).toBe(first);
      }),
      { numRuns: 3_000 },
    );
  });

  test("in every zone on each day of 2011 and 2024 whose length is not 24 hours, or whose neighbour's is not", () => {
    for (const name of ZONES) {
      const zone = zoneOf(name);
      const shown = dateShown(name);
      for (const year of ["2011", "2024"]) {
        for (let day = dayOf(`${year}-01-01`); day < dayOf(`${year}-12-31`); day++) {
          if (zone.dayStart(day + 1) - zone.dayStart(day - 1) === 2 * DAY) continue;
          expect(zone.dayStart(day)).toBe(quartersAround(day).find((at) => shown(at) >= formatDate(day)));
        }
      }
    }
  });
});

test("every offset since 1980 is a multiple of a quarter hour, so that nothing is moved by rounding", () => {
  const others = ZONES.filter((timeZone) => {
    const clock = new Intl.DateTimeFormat("sv-SE", { timeZone, minute: "2-digit", second: "2-digit" });
    for (let day = dayOf("1980-01-01"); day < dayOf("2060-01-01"); day += 60) {
      if (!/^(00|15|30|45):00$/.test(clock.format(day * DAY))) return true;
    }
    return false;
  });
  expect(others).toEqual([]);
});

test("the day of an instant is the one whose interval holds it, in every zone and at any time", () => {
  const anyInstant = fc.integer({ min: dayOf("0001-01-01") * DAY, max: dayOf("9999-12-01") * DAY });
  fc.assert(
    fc.property(fc.constantFrom(...ZONES), anyInstant, (name, at) => {
      const zone = zoneOf(name);
      const day = zone.dayOf(at);
      expect(zone.dayStart(day)).toBeLessThanOrEqual(at);
      expect(zone.dayStart(day + 1)).toBeGreaterThan(at);
    }),
    { numRuns: 2_000 },
  );
});

describe("names", () => {
  test("every name the platform prefers is a zone and echoed as it is", () => {
    const names = Intl.supportedValuesOf("timeZone");
    expect(names.map((name) => findZone(name)?.name)).toEqual(names);
  });

  test.each([
    ["Asia/Kolkata", "Asia/Kolkata"],
    ["Europe/Kyiv", "Europe/Kyiv"],
    ["US/Eastern", "US/Eastern"],
    ["Etc/UTC", "Etc/UTC"],
    ["GMT", "GMT"],
    ["EST5EDT", "EST5EDT"],
    ["Etc/GMT+5", "Etc/GMT+5"],
    ["America/Argentina/ComodRivadavia", "America/Argentina/ComodRivadavia"],
    ["utc", "UTC"],
    ["europe/berlin", "Europe/Berlin"],
    ["AMERICA/PORT-AU-PRINCE", "America/Port-au-Prince"],
    ["asia/kolkata", "asia/kolkata"],
  ])("%s is echoed as %s", (asked, echoed) => {
    expect(findZone(asked)?.name).toBe(echoed);
  });

  test("Etc/GMT+5 is five hours behind UTC, as POSIX has it", () => {
    expect(zoneOf("Etc/GMT+5").dayStart(0)).toBe(5 * HOUR);
  });

  test.each([
    "",
    " UTC",
    "UTC ",
    "UTC\n",
    "Mars/Phobos",
    "+05:30",
    "-00:00",
    "05:30",
    "UTC+5",
    "GMT+5",
    "Etc/GMT+05",
    "Etc/GMT+25",
    "Etc/Unknown",
    "Factory",
    "BST",
    "IST",
    "PST",
    "SystemV/PST8",
    "systemv/PST8",
    "Europe",
    "Europe/",
    "/Europe/Berlin",
    "Europe/Berlin/",
    "Europe/Berlin,Europe/Berlin",
    "Europe\\Berlin",
    "Еurope/Berlin",
    "../etc/passwd",
    "constructor",
    "__proto__",
    "null",
    `Europe/${"x".repeat(100_000)}`,
  ])("%j is none", (name) => {
    expect(findZone(name)).toBeNull();
  });
});
