import { authorizerHandler } from "../../../functions/authorizer/handler";
import { DAY, toIso } from "../../../shared/domain/instant";
import { httpFunction } from "../../../shared/lambda/http";
import { composeReads, type Endpoint } from "../../../shared/lambda/read-api/endpoint";
import { findStanding } from "../../../shared/storage/access/credentials";
import type { Dynamo } from "../../../shared/storage/dynamo";
import { type Answer, event, type Handler, send } from "../../read-api/support";
import type { LoadedSite } from "../site/load";

/** What is asked of the loaded site: local days that end with its last. */
export interface Question {
  readonly endpoint: Endpoint;
  readonly days: number;
  readonly timezone?: string;
  readonly limit?: number;
}

/** Whether the answer may be a kept one (`Cache-Control: no-cache` if not). */
type From = "cache" | "afresh";

export interface Caller {
  /** Asks as a client does: of the authorizer, and then of the function. */
  request(question: Question, from: From): Promise<Answer>;
  /** Asks the function alone and leaves its answer unread. Throws unless it is a 200. */
  handle(question: Question, from: From): Promise<void>;
}

/** How many requests one key is used for, or the rate limit would answer. */
const KEY_LASTS = 100;

/** A client of all endpoints and their authorizer, composed as for Lambda, but for the clock, which stands at the data's end. */
export function callerOf({ engine, site, shape, notes }: Omit<LoadedSite, "file">, dynamo: Dynamo): Caller {
  const { Config, Facts: facts, Cubes: cubes, Ephemeral } = engine.tables;
  // Later in each run of a day: the site is kept from the last one, and so are its rate windows.
  const clock = () => shape.until + (Date.now() % DAY);
  const authorizer = authorizerHandler({
    findStanding: (key, claims) => findStanding({ dynamo, table: Config }, key, claims),
    clock,
  });
  const { dependencies, sources } = composeReads(dynamo, {
    CONFIG_TABLE: Config,
    FACTS_TABLE: facts,
    CUBES_TABLE: cubes,
    EPHEMERAL_TABLE: Ephemeral,
  });
  const handlers = new Map<Endpoint, Handler>();
  const handlerOf = (endpoint: Endpoint): Handler => {
    const known = handlers.get(endpoint);
    if (known) return known;
    const made = httpFunction(endpoint.handler({ ...dependencies, clock }, sources));
    handlers.set(endpoint, made);
    return made;
  };

  let requests = 0;
  const run = Math.random().toString(36).slice(2);
  const verdict = JSON.stringify({ principal: { keyId: "key", workspace: 1, sites: "all" } });
  const verdictOfAnyKey = () => verdict.replace('"key"', `"${run}-${Math.floor(requests++ / KEY_LASTS)}"`);

  const eventOf = (question: Question, from: From, context: Record<string, unknown>) =>
    event(queryOf(question), {
      path: `/v1/${question.endpoint.operation.name}`,
      headers: from === "afresh" ? { "cache-control": "no-cache" } : {},
      context,
    });

  function queryOf({ days, timezone = "UTC", limit }: Question): string {
    const date = (at: number) => toIso(at).slice(0, 10);
    const last = shape.until - 1;
    const range = { from: date(last - (days - 1) * DAY), to: date(last) };
    const parameters = { site_id: String(site), ...range, timezone };
    return String(
      new URLSearchParams(limit === undefined ? parameters : { ...parameters, limit: `${limit}` }),
    );
  }

  return {
    async request(question, from) {
      const routeKey = `GET /v1/${question.endpoint.operation.name}`;
      const headers = { authorization: `Bearer ${notes.apiKey}` };
      const { context } = await authorizer({ headers, routeKey });
      return send(handlerOf(question.endpoint), eventOf(question, from, context));
    },

    async handle(question, from) {
      const asked = eventOf(question, from, { verdict: verdictOfAnyKey() });
      const { statusCode, body } = await handlerOf(question.endpoint)(asked, CONTEXT);
      if (statusCode !== 200)
        throw new Error(`${question.endpoint.operation.name} answered ${statusCode}: ${body}`);
    },
  };
}

const CONTEXT = { awsRequestId: "bench" } as Parameters<Handler>[1];

/** The figures of an answer, without the period. Throws unless it is a 200. */
export function figuresOf({ status, text, json }: Answer): Record<string, unknown> {
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  const { period: _, ...figures } = json() as Record<string, unknown>;
  return figures;
}
