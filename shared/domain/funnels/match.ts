import type { ConversionFact } from "../analytics/fact";
import type { FunnelStep, StepMatch } from "./funnel";

/** Which steps of a funnel something does: bit 0 for the first step. A step may stand in a funnel twice. */
export interface StepMatcher {
  readonly byPage: (path: string) => number;
  readonly byEvent: (event: Pick<ConversionFact, "type" | "name">) => number;
}

export function stepMatcher(steps: readonly FunnelStep[]): StepMatcher {
  const bits = (does: (match: StepMatch) => boolean): number =>
    steps.reduce((found, { matches }, step) => (does(matches) ? found | (1 << step) : found), 0);
  const known = new Map<string, number>();
  return {
    byPage(path) {
      const before = known.get(path);
      if (before !== undefined) return before;
      const found = bits((match) => "page" in match && isOf(match.page, path));
      known.set(path, found);
      return found;
    },
    // A custom event's name is never that of a standard type (see `eventKind`), so the name tells them apart.
    byEvent: ({ type, name }) =>
      bits((match) => "event" in match && match.event === (type === "Custom" ? name : type)),
  };
}

const isOf = (page: string, path: string): boolean =>
  page.endsWith("*") ? path.startsWith(page.slice(0, -1)) : path === page;
