import { ApiError, type ErrorCode } from "../../shared/domain/errors";
import { clampedInteger, readSiteId } from "../../shared/domain/read-api/parameters";

function siteId(query: string): number | ErrorCode {
  try {
    return readSiteId(new URLSearchParams(query));
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

describe("site_id", () => {
  test.each<[string, number | ErrorCode]>([
    ["", "MISSING_SITE_ID"],
    ["siteid=1", "MISSING_SITE_ID"],
    ["SITE_ID=1", "MISSING_SITE_ID"],
    ["site_id=1", 1],
    ["site_id=%31%32", 12],
    ["site_id=007", 7],
    [`site_id=${"0".repeat(400)}1`, 1],
    ["site_id=9007199254740991", 9007199254740991],
    ["site_id=9007199254740992", Number.POSITIVE_INFINITY],
    [`site_id=${"9".repeat(400)}`, Number.POSITIVE_INFINITY],
    ["site_id=", "BAD_SITE_ID"],
    ["site_id", "BAD_SITE_ID"],
    ["site_id=0", "BAD_SITE_ID"],
    ["site_id=000", "BAD_SITE_ID"],
    ["site_id=-1", "BAD_SITE_ID"],
    ["site_id=+5", "BAD_SITE_ID"],
    ["site_id=%2B5", "BAD_SITE_ID"],
    ["site_id=1.0", "BAD_SITE_ID"],
    ["site_id=1e3", "BAD_SITE_ID"],
    ["site_id=0x1F", "BAD_SITE_ID"],
    ["site_id=1_000", "BAD_SITE_ID"],
    ["site_id=1,000", "BAD_SITE_ID"],
    ["site_id=%201", "BAD_SITE_ID"],
    ["site_id=1%0A", "BAD_SITE_ID"],
    ["site_id=1%00", "BAD_SITE_ID"],
    ["site_id=٣", "BAD_SITE_ID"],
    ["site_id=１", "BAD_SITE_ID"],
    ["site_id=%zz", "BAD_SITE_ID"],
    ["site_id=%FF", "BAD_SITE_ID"],
    ["site_id=NaN", "BAD_SITE_ID"],
    ["site_id=Infinity", "BAD_SITE_ID"],
    ["site_id=null", "BAD_SITE_ID"],
    ["site_id[]=1", "MISSING_SITE_ID"],
    ["site_id=1&site_id=1", "BAD_SITE_ID"],
    ["site_id=1&site_id=2", "BAD_SITE_ID"],
  ])("%s: %s", (query, expected) => {
    expect(siteId(query)).toBe(expected);
  });
});

describe("limit", () => {
  const limit = clampedInteger({ description: "", min: 1, max: 100, fallback: 25 });
  test.each([
    [undefined, 25],
    ["", 25],
    ["1", 1],
    ["100", 100],
    ["050", 50],
    ["0", 1],
    ["-0", 1],
    ["-5", 1],
    ["101", 100],
    ["9".repeat(400), 100],
    [`-${"9".repeat(400)}`, 1],
    ["10.0", 25],
    ["1e1", 25],
    ["+10", 25],
    [" 10", 25],
    ["10\n", 25],
    ["ten", 25],
    ["NaN", 25],
    ["Infinity", 25],
    ["１０", 25],
    ["5,5", 25],
  ])("%j becomes %d", (text, expected) => {
    expect(limit.read(text)).toBe(expected);
  });
});
