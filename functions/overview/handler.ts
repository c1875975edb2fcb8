import type { CubeReader } from "../../shared/application/cube-reader";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { overview, overviewSchema } from "../../shared/domain/read-api/overview";
import { type ReadDependencies, readEndpoint } from "../../shared/lambda/read-endpoint";

/** `GET /v1/overview`: sessions, visitors, page views and conversions, in all and by source. */
export const overviewHandler = (dependencies: ReadDependencies, cubes: CubeReader) =>
  readEndpoint(
    {
      name: "overview",
      response: overviewSchema,
      prepare: ({ siteId, signal }) => cubes.markers(siteId, signal),
      query: async ({ site, range, prepared, signal }) =>
        overview(
          await cubes.read({
            site: site.id,
            facet: traffic,
            interval: range,
            markers: prepared,
            signal,
          }),
        ),
    },
    dependencies,
  );
