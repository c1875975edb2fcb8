import type { ErrorCode } from "../errors";

/** Every error an operation of the read API may answer, in the order of the checks (decisions: "Order of checks"). */
export const READ_ERRORS = [
  "AUTH_REQUIRED",
  "INVALID_API_KEY",
  "TIER_NO_API_ACCESS",
  "RATE_LIMITED",
  "MISSING_SITE_ID",
  "BAD_SITE_ID",
  "SITE_ACCESS_DENIED",
  "BAD_PERIOD",
  "BAD_DATE_FORMAT",
  "INVERTED_RANGE",
  "RANGE_TOO_WIDE",
  "BAD_TIMEZONE",
  "QUERY_TIMEOUT",
  "INTERNAL",
] as const satisfies readonly ErrorCode[];
