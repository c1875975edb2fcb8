import { traffic } from "../../../domain/analytics/facets/traffic";
import { overviewBody, overviewOperation } from "../../../domain/read-api/overview";
import { cubeEndpoint } from "../endpoint";

export const overview = cubeEndpoint(overviewOperation, traffic, overviewBody);
