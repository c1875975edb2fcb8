import { traffic } from "../../shared/domain/analytics/facets/traffic";
import { overview, overviewSchema } from "../../shared/domain/read-api/overview";

/** `GET /v1/overview`: sessions, visitors, page views and conversions, in all and by source. */
export const endpoint = { name: "overview", response: overviewSchema, facet: traffic, shape: overview };
