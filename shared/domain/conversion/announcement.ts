import { UNATTRIBUTED } from "../analytics/fact";
import { toIso } from "../instant";
import { fromMoney } from "../money";
import type { ConversionEvent } from "./event";

/** What the event bus carries of a conversion: enough to route and count by, no personal data. */
export interface ConversionAnnouncement {
  readonly site_id: number;
  readonly event_id: string;
  /** 1, and one more each time an existing-email link moved the event: of two announcements the higher holds. */
  readonly event_version: number;
  readonly event_type: string;
  readonly event_name: string;
  /** ISO 8601 UTC with milliseconds. */
  readonly event_time: string;
  /** Decimal units; null when the event carried none. */
  readonly value: number | null;
  readonly currency: string;
  readonly event_source: string;
  readonly matched_by: string | null;
  /** Of the credited visit. */
  readonly source: string;
  readonly channel: string;
}

/** The detail of `conversion.recorded`, and of `conversion.moved` when a link has given an event to another person. */
export function announcementOf(event: ConversionEvent): ConversionAnnouncement {
  const { source, channel } = event.match?.credited ?? UNATTRIBUTED;
  return {
    site_id: event.site,
    event_id: event.id,
    event_version: event.version,
    event_type: event.type,
    event_name: event.name,
    event_time: toIso(event.at),
    value: event.value === null ? null : fromMoney(event.value),
    currency: event.currency,
    event_source: event.source,
    matched_by: event.match?.by ?? null,
    source,
    channel,
  };
}
