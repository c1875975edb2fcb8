import type { Endpoint, Sources } from "../../shared/lambda/read-api/endpoint";
import type { ReadDependencies } from "../../shared/lambda/read-endpoint";
import { argumentsOf, queryOf } from "./arguments";
import { outputOf, READS_ONLY, type Tool } from "./tool";

export interface Reads {
  readonly dependencies: ReadDependencies;
  readonly sources: Sources;
}

/**
 * An operation of the read API as a tool. A call runs the very handler behind `GET /v1/<name>`: order of checks, access,
 * cache and time limit are the same because they are the same code. Only the rate limit was asked before.
 */
export const readTool = ({ operation, handler }: Endpoint, { dependencies, sources }: Reads): Tool => ({
  name: operation.name,
  list: () => ({
    name: operation.name,
    description: `${operation.summary}. ${operation.description}`,
    inputSchema: argumentsOf(operation),
    outputSchema: outputOf(operation.response),
    annotations: READS_ONLY,
  }),
  async call({ given, request, admission }) {
    const path = `/v1/${operation.name}`;
    const handle = handler({ ...dependencies, rateLimit: { take: () => admission } }, sources);
    return handle({
      ...request,
      ...{ method: "GET", path, route: `GET ${path}`, query: queryOf(given), body: new Uint8Array() },
    });
  },
});
