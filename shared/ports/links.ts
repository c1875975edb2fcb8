import * as z from "zod";
import type { ConversionEvent } from "../domain/conversion/event";
import type { IdentityChange } from "../domain/identity/changes";
import type { Instant } from "../domain/instant";

/** Names an event whose person is still looked for; also the wake-up message on the Links queue. */
export const linkEntrySchema = z.object({
  site: z.number().int().positive(),
  event: z.string().regex(/^evt_[0-9a-z]{26}$/),
});
export type LinkEntry = Readonly<z.infer<typeof linkEntrySchema>>;

/** The look-ups under way. One is there from the event's own transaction to the one that settles its link. */
export interface PendingLinks {
  /** Look-ups due by `now`, each with its time: at most `limit` of each index partition, oldest first, read eventually. */
  due(
    now: Instant,
    limit: number,
  ): Promise<readonly { readonly entry: LinkEntry; readonly dueAt: Instant }[]>;
  /** Puts the next look off; one settled meanwhile stays settled. */
  postpone(entry: LinkEntry, until: Instant): Promise<void>;
  /** Removes a look-up whose event is gone or settled; one already gone is fine. */
  remove(entry: LinkEntry): Promise<void>;
}

/** An event whose link is pending, and what becomes of it. */
export interface Settlement {
  readonly before: ConversionEvent;
  readonly after: ConversionEvent;
  readonly changes: readonly IdentityChange[];
}

/** Where pending links are settled, once each. */
export interface LinkLog {
  /**
   * Makes the outcome and all that follows from it durable in one transaction. Answers `gone`, having changed nothing,
   * when the event is no longer as it was `before` (somebody else settled it), and `stale` when what is known of its
   * people is no longer what the outcome was decided on.
   */
  settle(settlement: Settlement): Promise<"settled" | "gone" | "stale">;
}
