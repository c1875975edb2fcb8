import { readFileSync } from "node:fs";
import { join } from "node:path";
import { httpFunction } from "../../shared/lambda/http";
import { parseEnv } from "./env";
import { snippetHandler } from "./handler";

parseEnv(process.env);

export const handler = httpFunction(snippetHandler(readFileSync(join(__dirname, "t.js"), "utf8")));
