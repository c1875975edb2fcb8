import { cubeFunction } from "../../shared/lambda/read-api/cube-endpoint";
import { endpoint } from "./handler";

export const handler = cubeFunction(endpoint, process.env);
