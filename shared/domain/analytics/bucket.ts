import type { Instant } from "../instant";
import { MINUTE } from "../instant";

/**
 * Time is cut in UTC into a tree: quarter hour -> day -> month. Every zone's offset in use today is a multiple of
 * 15 minutes, so any local day is a union of quarters.
 */
export type Level = "quarter" | "day" | "month";

/** One node of the tree. `start` is its first instant; {@link bucketEnd} the first instant after it. */
export interface Bucket {
  readonly level: Level;
  readonly start: Instant;
}

export const QUARTER = 15 * MINUTE;

/** The bucket of `level` that holds `at`. */
export function bucketAt(level: Level, at: Instant): Bucket {
  if (level === "quarter") return { level, start: Math.floor(at / QUARTER) * QUARTER };
  const date = new Date(at);
  return {
    level,
    start: Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), level === "day" ? date.getUTCDate() : 1),
  };
}

export function bucketEnd({ level, start }: Bucket): Instant {
  if (level === "quarter") return start + QUARTER;
  const date = new Date(start);
  return level === "day" ? start + 96 * QUARTER : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** The bucket one level up, or null for a month, which is the root of its tree. */
export function parentOf({ level, start }: Bucket): Bucket | null {
  if (level === "month") return null;
  return bucketAt(level === "quarter" ? "day" : "month", start);
}

const LETTER: Record<Level, string> = { quarter: "Q", day: "D", month: "M" };
const ID_LENGTH: Record<Level, number> = { quarter: 16, day: 10, month: 7 };

/** Sortable name within a level: `Q2026-11-21T10:15`, `D2026-11-21`, `M2026-11`. */
export function bucketId({ level, start }: Bucket): string {
  return LETTER[level] + new Date(start).toISOString().slice(0, ID_LENGTH[level]);
}

/** Inverse of {@link bucketId}. */
export function parseBucketId(id: string): Bucket {
  const level = id[0] === "Q" ? "quarter" : id[0] === "D" ? "day" : "month";
  const suffix = { quarter: ":00Z", day: "T00:00:00Z", month: "-01T00:00:00Z" }[level];
  const start = Date.parse(id.slice(1) + suffix);
  if (Number.isNaN(start)) throw new RangeError(`not a bucket id: ${id}`);
  return { level, start };
}
