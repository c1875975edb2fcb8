import type { AttentionFact, ConversionFact, Fact, PageviewFact, VisitFact } from "./fact";

/** The facts of one quarter as facets fold them: each counted once, whatever was written how often. */
export interface QuarterFacts {
  readonly visits: readonly VisitFact[];
  readonly pageviews: readonly PageviewFact[];
  /** Visits of the quarter that are no bounce. */
  readonly engaged: ReadonlySet<string>;
  /** One for each page view that reported visible time: the largest report. */
  readonly attentions: readonly AttentionFact[];
  /** The latest version of each event. */
  readonly conversions: readonly ConversionFact[];
}

/** Drops repeats: the first of equal visits and page views, the largest attention, the highest version of a conversion. */
export function dedupe(facts: Iterable<Fact>): QuarterFacts {
  const visits = new Map<string, VisitFact>();
  const pageviews = new Map<string, PageviewFact>();
  const engaged = new Set<string>();
  const attentions = new Map<string, AttentionFact>();
  const conversions = new Map<string, ConversionFact>();
  for (const fact of facts) {
    switch (fact.kind) {
      case "visit":
        if (!visits.has(fact.visit)) visits.set(fact.visit, fact);
        break;
      case "pageview": {
        const id = pageviewKey(fact);
        if (!pageviews.has(id)) pageviews.set(id, fact);
        break;
      }
      case "engagement":
        engaged.add(fact.visit);
        break;
      case "attention": {
        const id = pageviewKey(fact);
        if (fact.visibleMs > (attentions.get(id)?.visibleMs ?? -1)) attentions.set(id, fact);
        break;
      }
      case "conversion":
        if (fact.version > (conversions.get(fact.id)?.version ?? 0)) conversions.set(fact.id, fact);
    }
  }
  return {
    visits: [...visits.values()],
    pageviews: [...pageviews.values()],
    engaged,
    attentions: [...attentions.values()],
    conversions: [...conversions.values()],
  };
}

const pageviewKey = ({ visit, id }: { visit: string; id: string }): string => `${visit} ${id}`;
