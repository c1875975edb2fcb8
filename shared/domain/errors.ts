/**
 * Every error an HTTP caller can meet: code -> status and the message that says what to do about it.
 * The read API's rows are the contract's "Errors"; the rest are ours (decisions: "Read API", "Receiving webhooks").
 */
export const ERRORS = {
  AUTH_REQUIRED: [401, "Send your API key in the header `Authorization: Bearer <API_KEY>`."],
  INVALID_API_KEY: [
    401,
    "This key does not exist, has expired, was revoked, or is not for this address: API keys read /v1, the AI-access key opens /mcp. Create a new one in Settings, Integrations.",
  ],
  TIER_NO_API_ACCESS: [
    403,
    "API access is available on the Unlimited plan. Upgrade the workspace to use this key.",
  ],
  RATE_LIMITED: [
    429,
    "More than 200 requests in 60 seconds with this key. Wait for the time in Retry-After, then try again.",
  ],
  MISSING_SITE_ID: [400, "Add the query parameter site_id, the number of the site to read."],
  BAD_SITE_ID: [400, "site_id must be a positive whole number."],
  SITE_ACCESS_DENIED: [403, "This key cannot read that site."],
  BAD_PERIOD: [400, "period must be one of today, yesterday, last_7d, last_30d, last_90d, last_365d."],
  BAD_DATE_FORMAT: [400, "Send from and to together, each a calendar date as YYYY-MM-DD."],
  INVERTED_RANGE: [400, "from is later than to. Swap them."],
  RANGE_TOO_WIDE: [400, "The range is longer than 366 days. Ask for less at a time."],
  BAD_TIMEZONE: [400, "timezone must be an IANA name such as Europe/Berlin."],
  QUERY_TIMEOUT: [504, "The query took longer than 10 seconds. Narrow the date range."],
  INTERNAL: [
    500,
    "Something failed on our side. Try again; if it goes on, tell us the id in the header X-Request-Id.",
  ],
  NOT_FOUND: [404, "There is nothing at this address."],
  METHOD_NOT_ALLOWED: [405, "This address does not take that method."],
  BAD_REQUEST: [400, "The request is not of the expected form."],
  PARSE_ERROR: [400, "The body could not be read as JSON or as a form."],
  BAD_SIGNATURE: [
    401,
    "The signature is missing, too old, or not made with the signing secret that was entered for this address.",
  ],
  OVERSIZED: [413, "The body is too large."],
  ORIGIN_NOT_ALLOWED: [403, "This site does not accept requests from that origin."],
  LOGIN_REQUIRED: [401, "Log in first."],
  BAD_CREDENTIALS: [401, "E-mail or password is wrong."],
  TOO_MANY_ATTEMPTS: [429, "Too many attempts. Wait for the time in Retry-After, then try again."],
  FORBIDDEN: [403, "You do not have access to this."],
  PLAN_REQUIRED: [403, "API keys are available on the Unlimited plan. Upgrade the workspace to create one."],
  CONFLICT: [409, "It exists already."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type ErrorCode = keyof typeof ERRORS;

/** An error whose code, message and status the caller may see. Anything else thrown is answered as INTERNAL. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  constructor(
    readonly code: ErrorCode,
    message: string = ERRORS[code][1],
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
  get status(): number {
    return ERRORS[this.code][0];
  }
  /** The body of every error answer. */
  toBody(): { error: string; code: ErrorCode } {
    return { error: this.message, code: this.code };
  }
}
