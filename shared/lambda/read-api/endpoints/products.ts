import { products as facet } from "../../../domain/analytics/facets/products";
import { productsBody, productsOperation } from "../../../domain/read-api/products";
import { cubeEndpoint } from "../endpoint";

export const products = cubeEndpoint(productsOperation, facet, productsBody);
