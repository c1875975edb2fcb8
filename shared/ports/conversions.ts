import type { ConversionEvent } from "../domain/conversion/event";
import type { IdentityChange } from "../domain/identity/changes";
import type { ReceiptDraft } from "../domain/receipts/receipt";

/** What became of an event handed in for recording. */
export interface Recorded {
  readonly outcome: "accepted" | "deduped";
  /** The event that counts: the one handed in, or the first of its duplicates. */
  readonly event: string;
}

/** Where conversions are recorded, once each. */
export interface ConversionLog {
  /**
   * Makes the event, what becomes known by it, and all that must follow from it durable in one transaction, or nothing
   * of it when an earlier event holds its duplicate claim. Handing in the same event again is safe and answers
   * `accepted`. Answers null, having changed nothing, when what is known of its people is no longer what the changes were
   * decided on. The receipt of the delivery it came by, where there is one, is logged with the event; of a duplicate the
   * caller logs it.
   */
  record(
    event: ConversionEvent,
    changes: readonly IdentityChange[],
    receipt?: ReceiptDraft,
  ): Promise<Recorded | null>;
}

/** Where recorded conversions are read. */
export interface ConversionReader {
  find(site: number, event: string): Promise<ConversionEvent | null>;
}
