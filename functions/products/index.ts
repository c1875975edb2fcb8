import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { products } from "../../shared/lambda/read-api/endpoints/products";

export const handler = readFunction(products, process.env);
