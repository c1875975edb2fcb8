import type { Origin } from "../domain/analytics/fact";
import type { Touch } from "../domain/attribution/touch";
import type { Instant } from "../domain/instant";

/** A browser the site has seen: its cookie `_evid`, and the number that stands for it in facts. */
export interface Visitor {
  readonly evid: string;
  /** Dense in the site, from 1; numbers leased but never given out leave gaps. */
  readonly number: number;
  /** The visitor's first visit: a visit is the first when its id is this one, so that duplicates agree. */
  readonly firstVisit: VisitKey;
}

/** What names a visit among those of its visitor. */
export interface VisitKey {
  readonly visit: string;
  /** The visit's start. */
  readonly at: Instant;
}

/** A visit as it was recorded: its classification at ingest and the raw inputs it came from. */
export interface VisitRecord extends VisitKey, Origin {
  /** The rule of the channel table that fired, and the version of the table. */
  readonly rule: string;
  readonly rulesVersion: number;
  /** The page the visit entered on: path without query. */
  readonly path: string;
  /** Everything read from landing URL and referrer: UTM as they arrived, click ids, both addresses. */
  readonly touch: Touch;
  /** ISO 3166-1 alpha-2, or `(unknown)`. */
  readonly country: string;
  /** Global Privacy Control: the visit counts, but nothing of it is forwarded to ad platforms. */
  readonly gpc: boolean;
  /** Cookies ad platforms set on the site, for forwarding; absent ones are left out. */
  readonly browserIds: BrowserIds;
}

export interface BrowserIds {
  readonly fbp?: string | undefined;
  readonly fbc?: string | undefined;
  readonly ttp?: string | undefined;
  readonly ga?: string | undefined;
}

export interface VisitRange {
  /** Visits that began at or before this instant; default all. */
  readonly upTo?: Instant;
  /** Default false: oldest first. */
  readonly newestFirst?: boolean;
  /** Visits in a page, default 50. The number of pages is not limited: stop iterating when you have enough. */
  readonly limit?: number;
}

/** Which visitor and visit something points at. */
export interface VisitReference extends VisitKey {
  readonly evid: string;
}

/** Reading visitors and visits. Reads are consistent: what the traffic writer has written is seen. */
export interface VisitorReader {
  /** Null when no visit of that visitor was recorded. Any string is a safe argument. */
  findVisitor(site: number, evid: string): Promise<Visitor | null>;
  /** The visits in order of their start, a page at a time. */
  visitsOf(site: number, evid: string, range?: VisitRange): AsyncIterable<readonly VisitRecord[]>;
  findVisit(site: number, reference: VisitReference): Promise<VisitRecord | null>;
  /**
   * The first visit whose landing URL carried this click id (exact, case-sensitive). The kind of click id is not part
   * of the question, because a webhook's `click_id` does not say it.
   */
  findClick(site: number, clickId: string): Promise<VisitReference | null>;
}
