/** Milliseconds since 1970-01-01T00:00:00Z. Every time inside the product is one of these; zones exist only at the edges. */
export type Instant = number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** ISO 8601 UTC with milliseconds, e.g. `2026-07-09T12:00:00.000Z`. */
export const toIso = (at: Instant): string => new Date(at).toISOString();
