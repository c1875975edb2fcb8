import { pagesBody, pagesOperation } from "../../../domain/read-api/pages";
import { endpoint } from "../endpoint";

export const pages = endpoint(pagesOperation, ({ cubes, pages }) => ({
  prepare: ({ siteId, signal }) => cubes.trust(siteId, signal),
  query: async ({ site, range, parameters: { limit }, prepared: trust, signal }) =>
    pagesBody(await pages.top({ site: site.id, interval: range, limit, trust, signal })),
}));
