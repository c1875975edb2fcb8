import type { Instant } from "../domain/instant";

/** Counts attempts by key over a window that really rolls. */
export interface AttemptWindow {
  /** Counts one attempt at `now`, unless the window is full. */
  take(key: string, now: Instant): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }>;
}
