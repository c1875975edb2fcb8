import { FACETS } from "../domain/analytics/facets";
import type { Facet } from "../domain/analytics/facets/facet";
import { funnelFacet } from "../domain/analytics/facets/funnel";
import type { FacetsOf } from "../ports/analytics";
import type { FunnelDirectory } from "../ports/funnels";

/** The facets of every site, and one for each of the site's saved funnels. */
export const createFacetsOf =
  (directory: FunnelDirectory): FacetsOf =>
  async (site, signal) => {
    const { version, funnels } = await directory.of(site, signal);
    return { version, facets: [...FACETS, ...(funnels.map(funnelFacet) as Facet<unknown>[])] };
  };
