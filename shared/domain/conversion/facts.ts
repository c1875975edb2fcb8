import { type ConversionFact, type EngagementFact, UNATTRIBUTED } from "../analytics/fact";
import { DAY } from "../instant";
import type { ConversionEvent } from "./event";

/**
 * Visits carry no end. A conversion within this of the visitor's latest visit is taken to belong to it, which leaves
 * room for payment tools that report late; a renewal months later does not touch it (nor unseal its old buckets).
 */
export const VISIT_REACH = DAY;

/** What an event adds to the facts: itself, credited, and that its visit was no bounce. No personal data (invariant 6). */
export function factsOf(event: ConversionEvent): (ConversionFact | EngagementFact)[] {
  const { id, type, name, at, value, products, match } = event;
  const { source, channel } = match?.credited ?? UNATTRIBUTED;
  const conversion: ConversionFact = {
    kind: "conversion",
    at,
    id,
    version: 1,
    type,
    name,
    visitor: match?.visitor ?? null,
    source,
    channel,
    value: value ?? 0,
    products,
  };
  if (!match || at - match.latest.at > VISIT_REACH) return [conversion];
  return [conversion, { kind: "engagement", at: match.latest.at, visit: match.latest.visit }];
}
