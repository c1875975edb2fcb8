import type { TrafficFact } from "../../shared/domain/analytics/fact";
import type { FactSink } from "../../shared/ports/facts";

/** A fact sink that remembers. */
export interface Recorder extends FactSink {
  of(site: number): TrafficFact[];
  /** The same sink, but its first append fails. */
  failingOnce(): FactSink;
}

export function recordFacts(): Recorder {
  const appended: { site: number; facts: readonly TrafficFact[] }[] = [];
  const append: FactSink["append"] = async (site, facts) => void appended.push({ site, facts });
  return {
    append,
    of: (site) => appended.flatMap((entry) => (entry.site === site ? entry.facts : [])),
    failingOnce() {
      let failed = false;
      return {
        append(site, facts) {
          if (failed) return append(site, facts);
          failed = true;
          return Promise.reject(new Error("crash"));
        },
      };
    },
  };
}

/** Each distinct value once, in an order of its own. */
export const unique = <T>(values: readonly T[]): T[] =>
  [...new Set(values.map((value) => JSON.stringify(value)))].sort().map((text) => JSON.parse(text));
