import { ApiError } from "../errors";
import type { Instant } from "../instant";
import { type Funnel, type FunnelStep, funnelFacetName } from "./funnel";

export interface SavedFunnel extends Funnel {
  readonly created: Instant;
}

/** What a site has saved: kept, read and changed as one. */
export interface SavedFunnels {
  /** Grows with every change; 0 before the first. */
  readonly version: number;
  /** Ids are never given twice: cubes of a deleted funnel may still be about. */
  readonly nextId: number;
  /** By id. */
  readonly funnels: readonly SavedFunnel[];
}

export const NO_FUNNELS: SavedFunnels = { version: 0, nextId: 1, funnels: [] };

export const MAX_FUNNELS = 50;

/** What a person decides about a funnel. */
export type FunnelDraft = Pick<Funnel, "name" | "steps">;

/** With one more, the last. Throws CONFLICT when there are {@link MAX_FUNNELS} already. */
export function withFunnel(
  { version, nextId: id, funnels }: SavedFunnels,
  draft: FunnelDraft,
  created: Instant,
): SavedFunnels {
  if (funnels.length >= MAX_FUNNELS) {
    const message = `The site has ${MAX_FUNNELS} funnels, which is the most. Delete one first.`;
    throw new ApiError("CONFLICT", message);
  }
  const funnel: SavedFunnel = { id, ...draft, revision: 1, created };
  return { version: version + 1, nextId: id + 1, funnels: [...funnels, funnel] };
}

/** With a funnel changed. New names, of it or of steps, leave it the same question. Throws NOT_FOUND. */
export function withChange(saved: SavedFunnels, id: number, change: Partial<FunnelDraft>): SavedFunnels {
  const before = funnelOf(saved, id);
  const drafted = { ...before, ...change };
  const after = sameSteps(before.steps, drafted.steps)
    ? drafted
    : { ...drafted, revision: before.revision + 1 };
  return {
    ...saved,
    version: saved.version + 1,
    funnels: saved.funnels.map((funnel) => (funnel.id === id ? after : funnel)),
  };
}

/** Without a funnel. Throws NOT_FOUND. */
export function withoutFunnel(saved: SavedFunnels, id: number): SavedFunnels {
  const gone = funnelOf(saved, id);
  return {
    ...saved,
    version: saved.version + 1,
    funnels: saved.funnels.filter((funnel) => funnel !== gone),
  };
}

/** Throws NOT_FOUND. */
export function funnelOf({ funnels }: Pick<SavedFunnels, "funnels">, id: number): SavedFunnel {
  const found = funnels.find((funnel) => funnel.id === id);
  if (!found) throw new ApiError("NOT_FOUND");
  return found;
}

/** Names of the facets that there are after a change and were not before, or the other way round. */
export function changedFacets(
  before: Pick<SavedFunnels, "funnels">,
  after: Pick<SavedFunnels, "funnels">,
): string[] {
  const [old, current] = [before.funnels.map(funnelFacetName), after.funnels.map(funnelFacetName)];
  return [
    ...old.filter((facet) => !current.includes(facet)),
    ...current.filter((facet) => !old.includes(facet)),
  ];
}

const sameSteps = (some: readonly FunnelStep[], others: readonly FunnelStep[]): boolean =>
  some.length === others.length && some.every((step, i) => matchKey(step) === matchKey(others[i]));

const matchKey = (step: FunnelStep | undefined): string | undefined =>
  step && ("page" in step.matches ? `page ${step.matches.page}` : `event ${step.matches.event}`);
