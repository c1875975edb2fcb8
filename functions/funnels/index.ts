import { readFunction } from "../../shared/lambda/read-api/endpoint";
import { funnels } from "../../shared/lambda/read-api/endpoints/funnels";

export const handler = readFunction(funnels, process.env);
