import type { Origin, ProductLine } from "../analytics/fact";
import type { Link } from "../identity/link";
import type { Instant } from "../instant";
import { type Money, toMoney } from "../money";
import { NATIVE_KINDS } from "../native/kinds";
import type { EventKind } from "./event-type";
import type { JsonObject } from "./json";
import { productLines } from "./payload/products";
import type { Contact, Reading } from "./reading";

/** Where an event came from: `event.source` of the outbound payload. A native integration has the name of its service. */
export const EVENT_SOURCES = ["webhook", "browser", ...NATIVE_KINDS] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

/** By which field a visit was found, strongest first (contract: "Inbound webhook", rule 2). */
export type MatchedBy = "visitor_id" | "click_id" | "email";

/** A visit's name and start. */
interface VisitMoment {
  readonly visit: string;
  readonly at: Instant;
}

/** The visitor an event belongs to, and the visit that is credited with it. */
export interface Match {
  readonly by: MatchedBy;
  readonly evid: string;
  /** The visitor's dense number in the site. */
  readonly visitor: number;
  readonly credited: VisitMoment & Origin;
  /** The visitor's last visit at or before the event, credited or not. */
  readonly latest: VisitMoment;
}

/** One recorded conversion. Only this holds personal data; facts, outbox and bus do not (invariant 6). */
export interface ConversionEvent extends EventKind {
  readonly site: number;
  /** `evt_...`, stable for ever. */
  readonly id: string;
  /** When it was received: payloads carry no time of their own. */
  readonly at: Instant;
  /** Null when it carried none. */
  readonly value: Money | null;
  /** ISO 4217, upper case; USD when the payload named none. */
  readonly currency: string;
  readonly orderId: string | null;
  readonly source: EventSource;
  /** The receiving webhook or native integration it came through; `snippet` for events of the browser. */
  readonly via: string;
  readonly contact: Contact;
  readonly clickId: string | null;
  readonly properties: JsonObject;
  readonly products: readonly ProductLine[];
  /** Null when nothing matched: it counts, but no ad is credited (rule 4). */
  readonly match: Match | null;
  /** What became of its `existing_email`; null when it had none. */
  readonly link: Link | null;
  /** 1, and one more each time a link moved it. */
  readonly version: number;
}

const DEFAULT_CURRENCY = "USD";

/** What an event is made of, beside its id. */
export interface EventParts {
  readonly site: number;
  readonly kind: EventKind;
  readonly at: Instant;
  readonly source: EventSource;
  readonly via: string;
  readonly reading: Reading;
  readonly match: Match | null;
  readonly link: Link | null;
}

/** Puts an event together; product lines only for purchases (contract: "Response of GET /v1/products"). */
export function createEvent(
  id: string,
  { site, kind, at, source, via, reading, match, link }: EventParts,
): ConversionEvent {
  const currency = reading.currency ?? DEFAULT_CURRENCY;
  return {
    ...kind,
    site,
    id,
    at,
    value: reading.amount === null ? null : toMoney(reading.amount, currency),
    currency,
    orderId: reading.orderId,
    source,
    via,
    contact: reading.contact,
    clickId: reading.clickIds[0] ?? null,
    properties: reading.properties,
    products: kind.type === "Purchase" ? productLines(reading.products, currency) : [],
    match,
    link,
    version: 1,
  };
}
