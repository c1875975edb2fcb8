import {
  type ConversionEvent,
  createEvent,
  type EventSource,
  type MatchedBy,
} from "../domain/conversion/event";
import type { EventKind } from "../domain/conversion/event-type";
import type { Reading } from "../domain/conversion/reading";
import { learntFrom } from "../domain/identity/changes";
import { type LinkResult, linkResult } from "../domain/identity/link";
import { newId, type RandomBytes } from "../domain/ids";
import type { Instant } from "../domain/instant";
import type { ReceiptDraft } from "../domain/receipts/receipt";
import type { ConversionLog, ConversionReader, Recorded } from "../ports/conversions";
import type { LinkEntry } from "../ports/links";
import type { OutboxEntry } from "../ports/outbox";
import type { Identified, Identify } from "./identification";

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
  /** Of the event that counts; null when it has no `existing_email`. */
  readonly link: LinkResult | null;
}

export type RecordConversion = (reported: ReportedConversion) => Promise<RecordedConversion>;

export interface RecordingDependencies {
  readonly identify: Identify;
  readonly conversions: ConversionLog;
  readonly recorded: ConversionReader;
  /** Begins beside the matching what the transaction would else have to wait for. Done or not, the transaction sees to it. */
  readonly prepare: (site: number, at: Instant) => Promise<void>;
  readonly random: RandomBytes;
  /** How long the person of an existing e-mail is looked for. */
  readonly linkLookupMs: number;
  /** Tells the relay of a new outbox entry. Must not throw: the conversion is recorded, and the sweeper sees to the rest. */
  readonly wakeRelay: (entry: OutboxEntry) => Promise<void>;
  /** Has look-ups made at once, since who they wait for may have appeared. Must not throw either. */
  readonly wakeLinks: (entries: readonly LinkEntry[]) => Promise<void>;
}

/** How often a conversion is decided anew because its people changed under it: each time something else was recorded. */
const ATTEMPTS = 8;

/** The one way into the books, for every source: identify and credit, record in one transaction, wake what follows. */
export function createRecordConversion(dependencies: RecordingDependencies): RecordConversion {
  const {
    identify,
    conversions,
    recorded: events,
    prepare,
    random,
    linkLookupMs,
    wakeRelay,
    wakeLinks,
  } = dependencies;

  async function recordOnce(reported: ReportedConversion, id: string) {
    const until = reported.at + linkLookupMs;
    const [identified] = await Promise.all([
      identify({ ...reported, until }),
      prepare(reported.site, reported.at),
    ]);
    const event = createEvent(id, { ...reported, ...identified });
    const newPersonId = newId("per", event.at, random);
    const changes = learntFrom({ ...event, ...identified, now: event.at, newPersonId });
    const recorded = await conversions.record(event, changes, reported.receipt);
    return recorded && { recorded, event, identified };
  }

  return async (reported) => {
    const id = reported.id ?? newId("evt", reported.at, random);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const done = await recordOnce(reported, id);
      if (!done) continue;
      const { recorded, event, identified } = done;
      const matchedBy = event.match?.by ?? null;
      if (recorded.outcome === "deduped")
        return { ...recorded, matchedBy, link: await countedLink(event, recorded) };
      await Promise.all([
        wakeRelay({ site: event.site, event: id, version: event.version }),
        wakeLinks(appearing(event, identified)),
      ]);
      return { ...recorded, matchedBy, link: event.link && linkResult(event.link) };
    }
    throw new Error("the people of a conversion kept changing while it was recorded");
  };

  /** What was wrong with a duplicate's `existing_email`; else what became of that of the event that counts. */
  async function countedLink(
    { site, link }: ConversionEvent,
    { event }: Recorded,
  ): Promise<LinkResult | null> {
    if (!link || link.status === "ignored") return link && linkResult(link);
    const counted = await events.find(site, event);
    return counted?.link ? linkResult(counted.link) : null;
  }
}

/** Look-ups made at once; where more wait, the rest is found by the clock. */
const MOST_WOKEN = 25;

/** The events that wait for the e-mail a conversion was paid with: somebody is known by it from now on. */
const appearing = ({ site }: ConversionEvent, { paid }: Identified): LinkEntry[] =>
  (paid?.waiting ?? []).slice(0, MOST_WOKEN).map((event) => ({ site, event }));
