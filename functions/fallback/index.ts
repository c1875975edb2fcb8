import { httpFunction } from "../../shared/lambda/http";
import { parseEnv } from "./env";
import { answerUnrouted } from "./handler";
import { ROUTES } from "./routes";

parseEnv(process.env);

export const handler = httpFunction(answerUnrouted(ROUTES));
