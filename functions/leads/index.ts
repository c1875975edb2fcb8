import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { leads } from "../../shared/lambda/read-api/endpoints/leads";

export const handler = readFunction(leads, process.env);
