import * as fc from "fast-check";
import { ApiError, type ErrorCode } from "../../shared/domain/errors";
import { DAY, HOUR, MINUTE } from "../../shared/domain/instant";
import { formatDate } from "../../shared/domain/read-api/calendar-date";
import { localDays, readRange } from "../../shared/domain/read-api/range";

const NOW = Date.parse("2026-11-21T12:00:00Z");

const range = (query: string | Record<string, string>, now = NOW) =>
  readRange(new URLSearchParams(query), now);
const days = (query: string, now = NOW) => {
  const { from, to } = range(query, now).period;
  return `${from} ${to}`;
};

function codeOf(query: string): ErrorCode | null {
  try {
    range(query);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe("which days", () => {
  test.each([
    ["", "2026-10-23 2026-11-21"],
    ["start_date=2026-01-01&end_date=2026-01-31", "2026-10-23 2026-11-21"],
    ["period=today", "2026-11-21 2026-11-21"],
    ["period=yesterday", "2026-11-20 2026-11-20"],
    ["period=last_7d", "2026-11-15 2026-11-21"],
    ["period=last_30d", "2026-10-23 2026-11-21"],
    ["period=last_90d", "2026-08-24 2026-11-21"],
    ["period=last_365d", "2025-11-22 2026-11-21"],
    ["period=today&from=2026-13-45&to=x", "2026-11-21 2026-11-21"],
    ["period=today&from=2026-02-01", "2026-11-21 2026-11-21"],
    ["from=2026-01-01&to=2026-01-31", "2026-01-01 2026-01-31"],
    ["from=2026-01-01&to=2026-01-01", "2026-01-01 2026-01-01"],
    ["from=2024-02-29&to=2025-02-28", "2024-02-29 2025-02-28"],
    ["from=0000-01-01&to=0000-12-31", "0000-01-01 0000-12-31"],
    ["from=9999-12-31&to=9999-12-31", "9999-12-31 9999-12-31"],
    ["from=2031-01-01&to=2031-01-31", "2031-01-01 2031-01-31"],
  ])("%s: %s", (query, expected) => {
    expect(days(query)).toBe(expected);
  });

  test("today is the local day of this moment", () => {
    expect(days("period=today&timezone=Pacific/Kiritimati")).toBe("2026-11-22 2026-11-22");
    expect(days("period=today&timezone=Pacific/Pago_Pago", NOW - 2 * HOUR)).toBe("2026-11-20 2026-11-20");
    expect(days("period=yesterday&timezone=Asia/Kathmandu", Date.parse("2026-11-20T18:15Z"))).toBe(
      "2026-11-20 2026-11-20",
    );
    expect(days("period=yesterday&timezone=Asia/Kathmandu", Date.parse("2026-11-20T18:15Z") - 1)).toBe(
      "2026-11-19 2026-11-19",
    );
  });

  test("the interval runs from the first instant of the first day to the first after the last", () => {
    expect(range("from=2022-09-11&to=2022-09-11&timezone=America/Santiago")).toEqual({
      period: { from: "2022-09-11", to: "2022-09-11", timezone: "America/Santiago" },
      start: Date.parse("2022-09-11T04:00Z"),
      end: Date.parse("2022-09-12T03:00Z"),
    });
  });

  test.each(["from=0000-01-01&to=0000-12-31", "from=1969-01-01&to=1969-12-31&timezone=Asia/Tokyo"])(
    "%s is before anything could be recorded: days without an instant",
    (query) => {
      const asked = range(query);
      expect([asked.start, asked.end]).toEqual([0, 0]);
      expect(localDays(asked).every(({ start, end }) => start === 0 && end === 0)).toBe(true);
    },
  );

  test("the zone is UTC when none is asked for", () => {
    expect(range("from=2026-01-01&to=2026-01-01")).toEqual({
      period: { from: "2026-01-01", to: "2026-01-01", timezone: "UTC" },
      start: Date.parse("2026-01-01T00:00Z"),
      end: Date.parse("2026-01-02T00:00Z"),
    });
  });
});

describe("errors", () => {
  test.each<[string, ErrorCode]>([
    ["period=", "BAD_PERIOD"],
    ["period=TODAY", "BAD_PERIOD"],
    ["period=last_8d", "BAD_PERIOD"],
    ["period=today&period=today", "BAD_PERIOD"],
    ["period=constructor", "BAD_PERIOD"],
    ["period=%20today", "BAD_PERIOD"],
    ["period=x&from=1&timezone=x", "BAD_PERIOD"],
    ["from=2026-01-01", "BAD_DATE_FORMAT"],
    ["to=2026-01-01", "BAD_DATE_FORMAT"],
    ["from=&to=", "BAD_DATE_FORMAT"],
    ["from=2026-01-01&to=", "BAD_DATE_FORMAT"],
    ["from=2026-02-30&to=2026-03-01", "BAD_DATE_FORMAT"],
    ["from=2025-02-29&to=2025-03-01", "BAD_DATE_FORMAT"],
    ["from=2026-1-5&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=2026-01-05T00:00:00Z&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=20260105&to=20260106", "BAD_DATE_FORMAT"],
    ["from=05/01/2026&to=06/01/2026", "BAD_DATE_FORMAT"],
    ["from=%2B02026-01-01&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=-2026-01-01&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=10000-01-01&to=10000-01-01", "BAD_DATE_FORMAT"],
    ["from=2026-01-01%0A&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=+2026-01-01&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=%zz&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=%FF&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=٢٠٢٦-٠١-٠١&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=2026-00-01&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=2026-01-00&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=2026-01-01&from=2026-01-02&to=2026-01-06", "BAD_DATE_FORMAT"],
    ["from=today&to=today&timezone=x", "BAD_DATE_FORMAT"],
    ["from=2026-01-02&to=2026-01-01", "INVERTED_RANGE"],
    ["from=2027-01-02&to=2025-01-01&timezone=x", "INVERTED_RANGE"],
    ["from=2025-01-01&to=2026-01-02", "RANGE_TOO_WIDE"],
    ["from=0000-01-01&to=9999-12-31&timezone=x", "RANGE_TOO_WIDE"],
    ["timezone=", "BAD_TIMEZONE"],
    ["timezone=Mars/Phobos", "BAD_TIMEZONE"],
    ["timezone=%2B05:30", "BAD_TIMEZONE"],
    ["timezone=UTC&timezone=UTC", "BAD_TIMEZONE"],
    ["period=today&timezone=x", "BAD_TIMEZONE"],
    ["from=2026-01-01&to=2026-01-02&timezone=x", "BAD_TIMEZONE"],
  ])("%s: %s", (query, code) => {
    expect(codeOf(query)).toBe(code);
  });

  test("366 days are allowed and 367 are not", () => {
    expect(codeOf("from=2025-01-01&to=2026-01-01")).toBeNull();
    expect(codeOf("from=2024-01-01&to=2024-12-31")).toBeNull();
    expect(codeOf("from=2024-01-01&to=2025-01-01")).toBe("RANGE_TOO_WIDE");
  });

  test("any text in any parameter is read or refused, never a failure", () => {
    const value = fc.option(
      fc.oneof(fc.string(), fc.constantFrom("2026-01-01", "2026-01-31", "today", "UTC")),
      { nil: undefined },
    );
    fc.assert(
      fc.property(fc.record({ period: value, from: value, to: value, timezone: value }), (parameters) => {
        const given = Object.entries(parameters).filter(
          (entry): entry is [string, string] => entry[1] !== undefined,
        );
        codeOf(new URLSearchParams(given).toString());
      }),
      { numRuns: 2_000 },
    );
  });
});

test("local days tile the interval without gap or overlap, one for each date, in every zone", () => {
  const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC");
  const first = fc.integer({ min: Date.parse("1900-01-01") / DAY, max: Date.parse("2100-01-01") / DAY });
  fc.assert(
    fc.property(zones, first, fc.integer({ min: 1, max: 366 }), (timezone, from, length) => {
      const asked = range({ from: formatDate(from), to: formatDate(from + length - 1), timezone });
      const tiles = localDays(asked);
      expect(tiles.map(({ date }) => date)).toEqual(Array.from({ length }, (_, i) => formatDate(from + i)));
      expect(tiles[0]?.start).toBe(asked.start);
      expect(tiles.at(-1)?.end).toBe(asked.end);
      expect(tiles.map(({ end }) => end)).toEqual([...tiles.slice(1).map(({ start }) => start), asked.end]);
      expect(tiles.every(({ start, end }) => start <= end && Number.isInteger(start / (15 * MINUTE)))).toBe(
        true,
      );
    }),
    { numRuns: 300 },
  );
});
