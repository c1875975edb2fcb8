import { revenue as facet } from "../../../domain/analytics/facets/revenue";
import { revenueBody, revenueOperation } from "../../../domain/read-api/revenue";
import { cubeEndpoint } from "../endpoint";

export const revenue = cubeEndpoint(revenueOperation, facet, revenueBody);
