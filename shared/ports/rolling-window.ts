import type { Instant } from "../domain/instant";

/** What became of one request against its window. */
export interface Admission {
  readonly allowed: boolean;
  /** Requests that would still be let in at this moment. */
  readonly remaining: number;
  /** When `remaining` next grows: the oldest request in the window leaves it. */
  readonly resetAt: Instant;
  /** How long a refused caller has to wait; 0 when allowed. */
  readonly retryAfterMs: number;
}

/** A limit of so many requests in any span of so much time, shared by every instance of every function. */
export interface RollingWindow {
  /**
   * Counts a request of `key` at `now` if it is within the limit. A refused request is not counted: one who keeps
   * knocking is let in again as soon as the window has rolled. Throws when the store fails.
   */
  take(key: string, now: Instant): Promise<Admission>;
}

/** A window of failures: what succeeds begins it anew. */
export interface ResettableWindow extends RollingWindow {
  /**
   * Forgets every request of `key`. Another instance that saw the window full just before goes on refusing from memory
   * until the window has rolled.
   */
  reset(key: string): Promise<void>;
}
