import { funnelFacet, reached } from "../../../domain/analytics/facets/funnel";
import { funnelsBody, funnelsOperation } from "../../../domain/read-api/funnels";
import { endpoint } from "../endpoint";

/** Each saved funnel is a facet of its own; the cubes of all of them are read side by side. */
export const funnels = endpoint(funnelsOperation, ({ cubes, funnels }) => ({
  prepare: ({ siteId, signal }) => Promise.all([cubes.markers(siteId, signal), funnels.of(siteId, signal)]),

  async query({ site, range, prepared, signal }) {
    const [marked, saved] = await prepared;
    const markers = Promise.resolve(marked);
    const evaluated = saved.funnels.map(async (funnel) => {
      const facet = funnelFacet(funnel);
      const inOrder = await cubes.inOrder({ site: site.id, facet, interval: range, markers, signal });
      return { funnel, visitors: reached(inOrder, funnel.steps.length) };
    });
    return funnelsBody(await Promise.all(evaluated));
  },
}));
