import { mcpHandler } from "../../functions/mcp/handler";
import { readTool } from "../../functions/mcp/read-tool";
import { sitesTool } from "../../functions/mcp/sites-tool";
import type { Site, Verdict } from "../../shared/domain/access/principal";
import { overviewOperation } from "../../shared/domain/read-api/overview";
import { pagesOperation } from "../../shared/domain/read-api/pages";
import { httpFunction } from "../../shared/lambda/http";
import { endpoint, type Sources } from "../../shared/lambda/read-api/endpoint";
import { type Answer, event, granted, readApi, SITE, send } from "../read-api/support";

const { period: _, ...FIGURES } = overviewOperation.example;
const NO_SOURCES = {} as Sources;

export interface Sent {
  readonly verdict?: Verdict;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The MCP function over a read API in memory: a tool for overview, one for pages, and the list of sites. */
export function mcp({
  query = async () => FIGURES,
  listSites = async (): Promise<readonly Site[]> => [
    SITE,
    { ...SITE, id: 13, domain: "blog.example", name: "Blog" },
  ],
}: {
  query?: (question: { signal: AbortSignal }) => Promise<typeof FIGURES>;
  listSites?: (workspace: number) => Promise<readonly Site[]>;
} = {}) {
  const { world, dependencies } = readApi();
  const asked: unknown[] = [];
  const endpoints = [
    endpoint(overviewOperation, () => ({
      query: (question) => {
        asked.push(question.range.period);
        return query(question);
      },
    })),
    endpoint(pagesOperation, () => ({
      query: async ({ parameters }) => {
        asked.push(parameters);
        return { pages: [] };
      },
    })),
  ];
  const reads = { dependencies, sources: NO_SOURCES };
  const tools = [sitesTool(listSites), ...endpoints.map((one) => readTool(one, reads))];
  const { rateLimit, clock } = dependencies;
  const handler = httpFunction(mcpHandler({ tools, rateLimit, clock }));
  const [overview] = endpoints;
  if (!overview) throw new Error("there is one");

  /** A body as it is, sent to `POST /mcp` by the holder of an AI-access key. */
  const post = (body: string, { verdict = granted(), headers = {} }: Sent = {}): Promise<Answer> =>
    send(
      handler,
      event("", {
        ...{ method: "POST", path: "/mcp", body },
        headers: { "content-type": "application/json", ...headers },
        context: { verdict: JSON.stringify(verdict) },
      }),
    );
  const request = (method: string, params: object = {}, sent?: Sent) =>
    post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), sent);
  return {
    world,
    /** What was asked of the endpoints: ranges, and the parameters of pages. */
    asked,
    /** The same overview behind `GET /v1/overview`. */
    overview: httpFunction(overview.handler(dependencies, NO_SOURCES)),
    handler,
    post,
    request,
    call: async (name: string, given: unknown, sent?: Sent) => {
      const answer = await request("tools/call", { name, arguments: given }, sent);
      // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape is what they test
      return { ...answer, ...(answer.json() as { result?: any; error?: any }) };
    },
  };
}
