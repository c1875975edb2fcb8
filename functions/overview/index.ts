import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { overview } from "../../shared/lambda/read-api/endpoints/overview";

export const handler = readFunction(overview, process.env);
