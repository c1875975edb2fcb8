import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { revenue } from "../../shared/lambda/read-api/endpoints/revenue";

export const handler = readFunction(revenue, process.env);
