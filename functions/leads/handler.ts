import { leads } from "../../shared/domain/analytics/facets/leads";
import { leadsBody, leadsSchema } from "../../shared/domain/read-api/leads";

/** `GET /v1/leads`: leads, in all and by source. */
export const endpoint = { name: "leads", response: leadsSchema, facet: leads, shape: leadsBody };
