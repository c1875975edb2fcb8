import { READ_RATE_LIMIT } from "../../shared/lambda/read-api/admission";

const wholeNumber = { type: "integer", minimum: 0 };

/** The headers of answers, by name. */
export const RESPONSE_HEADERS = {
  "X-Request-Id": {
    description: "Names the request; tell us when something goes wrong.",
    required: true,
    schema: { type: "string" },
  },
  "X-Cache": {
    description: "`HIT`: an answer kept for at most 60 seconds. `MISS`: computed for this request.",
    required: true,
    schema: { type: "string", enum: ["HIT", "MISS"] },
  },
  "RateLimit-Limit": {
    description: "Requests of one key in any 60 seconds.",
    schema: wholeNumber,
    example: READ_RATE_LIMIT.capacity,
  },
  "RateLimit-Remaining": {
    description: "Requests that are left at this moment.",
    schema: wholeNumber,
    example: READ_RATE_LIMIT.capacity - 1,
  },
  "RateLimit-Reset": {
    description: "Seconds until `RateLimit-Remaining` next grows.",
    schema: wholeNumber,
    example: 60,
  },
  "Retry-After": {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 12,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750).",
    required: true,
    schema: { type: "string" },
    example: 'Bearer error="invalid_token"',
  },
} as const;
type HeaderName = keyof typeof RESPONSE_HEADERS;

const QUOTA = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** What every success carries. */
export const SUCCESS_HEADERS: readonly HeaderName[] = ["X-Cache", ...QUOTA, "X-Request-Id"];

/** What errors carry, by status. Before the key is accepted nothing is counted, so a 401 and some 403 have no quota. */
export const ERROR_HEADERS: Readonly<Record<number, readonly HeaderName[]>> = {
  400: [...QUOTA, "X-Request-Id"],
  401: ["WWW-Authenticate", "X-Request-Id"],
  403: [...QUOTA, "X-Request-Id"],
  429: ["Retry-After", ...QUOTA, "X-Request-Id"],
  500: [...QUOTA, "X-Request-Id"],
  504: [...QUOTA, "X-Request-Id"],
};

export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
