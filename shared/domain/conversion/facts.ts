import { type ConversionFact, type EngagementFact, UNATTRIBUTED } from "../analytics/fact";
import { DAY } from "../instant";
import { withoutPerson } from "../personal-data";
import type { ConversionEvent } from "./event";

/** The conversion as it counts: credited, and without personal data (invariant 6). */
export function conversionFactOf(event: ConversionEvent): ConversionFact {
  const { id, version, type, name, at, value, products, match } = event;
  const { source, channel } = match?.credited ?? UNATTRIBUTED;
  return {
    kind: "conversion",
    at,
    id,
    version,
    type,
    name,
    visitor: match?.visitor ?? null,
    source,
    channel,
    value: value ?? 0,
    products: products.map(({ sku, name, ...figures }) => ({
      sku: withoutPerson(sku),
      name: withoutPerson(name),
      ...figures,
    })),
  };
}

/**
 * Visits carry no end. A conversion within this of the visitor's latest visit is taken to belong to it, which leaves
 * room for payment tools that report late; a renewal months later does not touch it (nor unseal its old buckets).
 */
export const VISIT_REACH = DAY;

/** That the visit the conversion took place in was no bounce (decisions: "bounce_rate_pct"); null when there was none. */
export function engagementOf({ at, match }: ConversionEvent): EngagementFact | null {
  if (!match || at - match.latest.at > VISIT_REACH) return null;
  return { kind: "engagement", at: match.latest.at, visit: match.latest.visit };
}
