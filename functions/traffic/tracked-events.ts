import type { RecordConversion } from "../../shared/application/record-conversion";
import { eventKind } from "../../shared/domain/conversion/event-type";
import { readPayload } from "../../shared/domain/conversion/reading";
import { namedId } from "../../shared/domain/ids";
import type { TrafficHit, TrafficMessage } from "../../shared/domain/tracking/message";

/** A page's `attribution("track", ...)`. */
export type TrackedEvent = Extract<TrafficHit, { kind: "event" }>;

/** What pages of one message reported. */
interface Tracked {
  readonly site: number;
  readonly evid: string;
  readonly events: readonly TrackedEvent[];
}

export const trackedEvents = ({ hits }: TrafficMessage): TrackedEvent[] =>
  hits.filter((hit) => hit.kind === "event");

/**
 * Records the events that pages reported, as custom conversions of the visitor, credited like any other. An event is
 * named by its page view, name and time, so that a message redelivered records it no second time.
 */
export const createEventRecorder =
  (record: RecordConversion) =>
  async ({ site, evid, events }: Tracked): Promise<void> => {
    for (const { name, at, page, properties } of events) {
      const kind = eventKind(name);
      if (kind?.type !== "Custom") continue; // the collector takes no other
      await record({
        site,
        kind,
        at,
        id: namedId("evt", at, `${site} ${evid} ${page.id} ${name}`),
        source: "browser",
        via: "snippet",
        reading: { ...readPayload(properties, { linksEmails: false }), visitorId: evid },
      });
    }
  };
