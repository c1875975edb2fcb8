import { products } from "../../shared/domain/analytics/facets/products";
import { productsBody, productsSchema } from "../../shared/domain/read-api/products";

/** `GET /v1/products`: what was sold, and what sold best from each source. */
export const endpoint = { name: "products", response: productsSchema, facet: products, shape: productsBody };
