import { funnelFacet, reached } from "../../../domain/analytics/facets/funnel";
import { funnelsBody, funnelsOperation } from "../../../domain/read-api/funnels";
import { endpoint } from "../endpoint";

/**
 * Each saved funnel is a facet of its own; the cubes of all of them are read side by side. A funnel saved amid the two reads of
 * `prepare` is one whose building the former does not know of: it is answered from facts.
 */
export const funnels = endpoint(funnelsOperation, ({ cubes, funnels }) => ({
  prepare: ({ siteId, signal }) => Promise.all([cubes.trust(siteId, signal), funnels.of(siteId, signal)]),

  async query({ site, range, prepared, signal }) {
    const [trust, { funnels: saved }] = await prepared;
    const found = await cubes.inOrder({
      ...{ site: site.id, interval: range, facets: saved.map(funnelFacet) },
      ...{ trust: Promise.resolve(trust), signal },
    });
    return funnelsBody(
      saved.map((funnel, i) => ({ funnel, visitors: reached(found[i] ?? [], funnel.steps.length) })),
    );
  },
}));
