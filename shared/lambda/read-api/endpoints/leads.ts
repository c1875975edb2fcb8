import { leads as facet } from "../../../domain/analytics/facets/leads";
import { leadsBody, leadsOperation } from "../../../domain/read-api/leads";
import { cubeEndpoint } from "../endpoint";

export const leads = cubeEndpoint(leadsOperation, facet, leadsBody);
