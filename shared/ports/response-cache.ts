import type { Instant } from "../domain/instant";

/** Answers kept for a short while, shared by every instance of every function. Throws when the store fails. */
export interface ResponseCache {
  /** The text kept under `key` if it is still fresh at `now`; null when there is none, or it is too old or broken. */
  read(key: string, now: Instant): Promise<string | null>;
  /** Keeps `text`, which was true at `asOf`, unless what is kept is more recent. */
  write(key: string, text: string, asOf: Instant): Promise<void>;
}
