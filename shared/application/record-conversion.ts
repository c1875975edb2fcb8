import type { MatchedBy } from "../domain/conversion/event";
import { createEvent, type EventSource } from "../domain/conversion/event";
import type { EventKind } from "../domain/conversion/event-type";
import type { Reading } from "../domain/conversion/reading";
import { newId, type RandomBytes } from "../domain/ids";
import type { Instant } from "../domain/instant";
import type { ReceiptDraft } from "../domain/receipts/receipt";
import type { ConversionLog, Recorded } from "../ports/conversions";
import type { OutboxEntry } from "../ports/outbox";
import type { Matcher } from "./matching";

/** A conversion as some source reports it. */
interface ReportedConversion {
  readonly site: number;
  readonly kind: EventKind;
  readonly source: EventSource;
  /** The receiving webhook (later: the integration) it came through. */
  readonly via: string;
  readonly reading: Reading;
  readonly at: Instant;
  /** The event's id, from a source that delivers at least once and can name it; a new one otherwise. */
  readonly id?: string;
  /** From a source that shows its deliveries; logged with the event. */
  readonly receipt?: ReceiptDraft;
}

interface RecordedConversion extends Recorded {
  readonly matchedBy: MatchedBy | null;
}

export type RecordConversion = (reported: ReportedConversion) => Promise<RecordedConversion>;

export interface RecordingDependencies {
  readonly match: Matcher;
  readonly conversions: ConversionLog;
  readonly random: RandomBytes;
  /** Tells the relay of a new outbox entry. Must not throw: the conversion is recorded, and the sweeper sees to the rest. */
  readonly wakeRelay: (entry: OutboxEntry) => Promise<void>;
}

/** The one way into the books, for every source: match and credit, record in one transaction, wake the relay. */
export const createRecordConversion =
  ({ match, conversions, random, wakeRelay }: RecordingDependencies): RecordConversion =>
  async (reported) => {
    const found = await match(reported);
    const event = createEvent(reported.id ?? newId("evt", reported.at, random), {
      ...reported,
      match: found,
    });
    const recorded = await conversions.record(event, reported.receipt);
    if (recorded.outcome === "accepted") await wakeRelay({ site: event.site, event: event.id });
    return { ...recorded, matchedBy: found?.by ?? null };
  };
