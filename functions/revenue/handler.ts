import { revenue } from "../../shared/domain/analytics/facets/revenue";
import { revenueBody, revenueSchema } from "../../shared/domain/read-api/revenue";

/** `GET /v1/revenue`: purchases and what they brought, in all, by source, product and day. */
export const endpoint = { name: "revenue", response: revenueSchema, facet: revenue, shape: revenueBody };
