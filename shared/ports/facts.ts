import type { TrafficFact } from "../domain/analytics/fact";

/** Where the traffic writer appends facts. */
export interface FactSink {
  /**
   * Appends facts of any mix of quarters, in blocks, marking each quarter as the marker protocol asks.
   * At least once: on an error some of them may be written; append all of them again.
   */
  append(site: number, facts: readonly TrafficFact[]): Promise<void>;
}
