import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { pages } from "../../shared/lambda/read-api/endpoints/pages";

export const handler = readFunction(pages, process.env);
