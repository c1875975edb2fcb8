import * as z from "zod";
import type { Instant } from "../domain/instant";

/** Names a version of a recorded event that is still to be announced; also the wake-up message on the Outbox queue. */
export const outboxEntrySchema = z.object({
  site: z.number().int().positive(),
  event: z.string().regex(/^evt_[0-9a-z]{26}$/),
  /** Of the event: 1 when it was recorded, more when a link moved it. */
  version: z.number().int().positive().default(1),
});
export type OutboxEntry = Readonly<z.infer<typeof outboxEntrySchema>>;

/** Events not yet announced. An entry is written in the event's own transaction and goes when it was announced. */
export interface Outbox {
  /** Whether the entry is still there, read consistently. */
  holds(entry: OutboxEntry): Promise<boolean>;
  /** Removes an entry; one already gone is fine. */
  remove(entry: OutboxEntry): Promise<void>;
  /**
   * Entries whose wake-up must be taken for lost (see `WAKE_UP_GRACE`), to be sent again: at most `limit` of each index
   * partition, oldest first, read eventually, so some may be gone by then.
   */
  due(now: Instant, limit: number): Promise<readonly OutboxEntry[]>;
}
