import { UNATTRIBUTED } from "../analytics/fact";
import { toIso } from "../instant";
import { fromMoney } from "../money";
import type { ConversionEvent } from "./event";

/** What the event bus carries of a conversion: enough to route and count by, no personal data. */
export interface ConversionRecorded {
  readonly site_id: number;
  readonly event_id: string;
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

/** The detail of `conversion.recorded`. */
export function announcementOf(event: ConversionEvent): ConversionRecorded {
  const { source, channel } = event.match?.credited ?? UNATTRIBUTED;
  return {
    site_id: event.site,
    event_id: event.id,
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
