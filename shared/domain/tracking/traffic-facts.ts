import type { Origin, TrafficFact } from "../analytics/fact";
import type { TrafficHit } from "./message";

interface HitContext {
  readonly hit: TrafficHit;
  readonly country: string;
  /** The visit's classification. */
  readonly origin: Origin;
  /** The visitor's number in the site. */
  readonly visitor: number;
  /** The id of the visitor's first ever visit. */
  readonly firstVisit: string;
}

/**
 * The facts a hit amounts to. A function of the hit alone, whatever came before: the same hit again gives the same
 * facts, which fold away as duplicates.
 */
export function factsOf({ hit, country, origin, visitor, firstVisit }: HitContext): TrafficFact[] {
  const { visit, page } = hit;
  const context = {
    visit: visit.id,
    visitor,
    country,
    source: origin.source,
    channel: origin.channel,
  };
  const facts: TrafficFact[] = [];
  if (hit.first) {
    const isFirst = visit.id === firstVisit;
    facts.push({ kind: "visit", at: visit.at, path: visit.path, isFirst, ...context });
  }
  if (hit.kind === "pageview") {
    facts.push({ kind: "pageview", at: page.at, id: page.id, path: page.path, ...context });
    if (page.index > 0) facts.push({ kind: "engagement", at: visit.at, visit: visit.id });
  }
  if (hit.kind === "attention") {
    const visibleMs = Math.round(hit.visibleMs);
    facts.push({ kind: "attention", at: page.at, visit: visit.id, id: page.id, path: page.path, visibleMs });
  }
  return facts;
}
