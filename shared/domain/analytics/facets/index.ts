import type { Facet } from "./facet";
import { traffic } from "./traffic";

/** Every facet that is sealed. What their cubes are made of is each facet's own affair. */
export const FACETS: readonly Facet<unknown>[] = [traffic as Facet<unknown>];
