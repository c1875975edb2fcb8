import { httpFunction } from "../../shared/lambda/http";
import { composeReads } from "../../shared/lambda/read-api/endpoint";
import { ENDPOINTS } from "../../shared/lambda/read-api/endpoints";
import { listSites } from "../../shared/storage/access/sites";
import { createDynamo } from "../../shared/storage/dynamo";
import { envSchema } from "./env";
import { mcpHandler } from "./handler";
import { readTool } from "./read-tool";
import { sitesTool } from "./sites-tool";

const env = envSchema.parse(process.env);
const dynamo = createDynamo();
const reads = composeReads(dynamo, env);
const config = { dynamo, table: env.CONFIG_TABLE };

export const handler = httpFunction(
  mcpHandler({
    tools: [
      sitesTool((workspace) => listSites(config, workspace)),
      ...ENDPOINTS.map((endpoint) => readTool(endpoint, reads)),
    ],
    rateLimit: reads.dependencies.rateLimit,
    clock: reads.dependencies.clock,
  }),
);
