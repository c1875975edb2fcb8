import type { Instant } from "../instant";
import type { Money } from "../money";

/**
 * Facts are append-only and hold no personal data: a visitor is a dense integer of the site. Each fact belongs to the
 * quarter hour that holds its `at`; folding a quarter drops facts whose key it has seen (see `dedupe`), so writing
 * one twice is harmless.
 */
export type Fact = TrafficFact | ConversionFact;

/** What arrives in batches and is stored in compressed blocks. */
export type TrafficFact = VisitFact | PageviewFact | EngagementFact | AttentionFact;

/** The result of classifying a visit at ingest. */
export interface Origin {
  /** Traffic source, e.g. `google`, `(direct)`. */
  readonly source: string;
  /** Marketing channel, e.g. `Paid Search`. */
  readonly channel: string;
}

interface VisitContext extends Origin {
  /** The visit's id, unique in the site. */
  readonly visit: string;
  /** The visitor's dense number in the site, from 1. */
  readonly visitor: number;
  /** ISO 3166-1 alpha-2, or `(unknown)`. */
  readonly country: string;
}

/** A visit began. `at` is the visit's start; `path` the page it entered on. */
export interface VisitFact extends VisitContext {
  readonly kind: "visit";
  readonly at: Instant;
  readonly path: string;
  /** Whether this is the visitor's first ever visit. */
  readonly isFirst: boolean;
}

/** A page was viewed. `id` is unique in its visit. */
export interface PageviewFact extends VisitContext {
  readonly kind: "pageview";
  readonly at: Instant;
  readonly id: string;
  readonly path: string;
}

/** A visit saw a second page or a conversion: it is no bounce. `at` is the visit's start, so that it folds beside it. */
export interface EngagementFact {
  readonly kind: "engagement";
  readonly at: Instant;
  readonly visit: string;
}

/**
 * Visible time of one page view so far. `at` is the page view's time, so that it folds beside it. Of several reports
 * of one page view the largest holds.
 */
export interface AttentionFact {
  readonly kind: "attention";
  readonly at: Instant;
  readonly visit: string;
  /** The page view's id. */
  readonly id: string;
  readonly path: string;
  readonly visibleMs: number;
}

export type ConversionType = "Lead" | "Schedule" | "Purchase" | "Custom";

export interface ProductLine {
  readonly sku: string;
  readonly name: string;
  readonly units: number;
  /** Of the whole line, not of one unit. */
  readonly revenue: Money;
}

/**
 * A conversion, credited. Of several versions of one event the highest holds: that is how a late link moves a sale
 * (the later version supersedes, nothing is changed in place). `at` is the same in all of them: versions meet in one quarter.
 */
export interface ConversionFact extends Origin {
  readonly kind: "conversion";
  readonly at: Instant;
  /** The event's id, `evt_...`. */
  readonly id: string;
  /** From 1. */
  readonly version: number;
  readonly type: ConversionType;
  /** Equal to the type for standard events. */
  readonly name: string;
  /** Null when no visit was matched. */
  readonly visitor: number | null;
  /** 0 when the event carried none. */
  readonly value: Money;
  readonly products: readonly ProductLine[];
}

/** Credit of a conversion without a visit (decisions: "Sums agree"). */
export const UNATTRIBUTED: Origin = {
  source: "(none)",
  channel: "Unattributed",
};
