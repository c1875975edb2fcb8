import type { Facet } from "./facet";
import { leads } from "./leads";
import { pages } from "./pages";
import { products } from "./products";
import { revenue } from "./revenue";
import { traffic } from "./traffic";
import { users } from "./users";

/** Every facet that is sealed. What their cubes are made of is each facet's own affair. */
export const FACETS: readonly Facet<unknown>[] = [
  traffic,
  revenue,
  leads,
  pages,
  products,
  users,
] as Facet<unknown>[];
