import { httpFunction } from "../../shared/lambda/http";
import { parseEnv } from "./env";
import { docsHandler } from "./handler";

parseEnv(process.env);

export const handler = httpFunction(docsHandler);
