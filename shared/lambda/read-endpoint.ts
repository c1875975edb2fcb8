import { mayRead, type Principal, type Site } from "../domain/access/principal";
import { ApiError } from "../domain/errors";
import type { Instant } from "../domain/instant";
import { parameter, readSiteId, type Values } from "../domain/read-api/parameters";
import type { Period } from "../domain/read-api/period";
import { readRange } from "../domain/read-api/range";
import type { Clock } from "../ports/clock";
import type { ResponseCache } from "../ports/response-cache";
import type { RollingWindow } from "../ports/rolling-window";
import type { SiteDirectory } from "../ports/sites";
import { errorResponse, type HttpHandler, type HttpRequest, type HttpResponse, JSON_HEADERS } from "./http";
import { quotaHeaders, requirePrincipal, takeQuota } from "./read-api/admission";
import { createAnswers } from "./read-api/answers";
import { QUERY_BUDGET_MS, withinBudget } from "./read-api/budget";
import type { GrantedQuestion, ReadDefinition, ReadQuestion } from "./read-api/definition";

export interface ReadDependencies {
  readonly sites: SiteDirectory;
  /** Of {@link READ_RATE_LIMIT}. */
  readonly rateLimit: RollingWindow;
  readonly cache: ResponseCache;
  readonly clock: Clock;
  readonly queryBudgetMs?: number;
}

/**
 * The factory every endpoint of the read API is built with: authentication, rate limit, parameters, access, cache and
 * time limit are the same for all and cannot be left out.
 *
 * Rate limit, site, cached answer and what the endpoint prepares are read in one parallel step; they are judged in the
 * contract's order (decisions: "Order of checks"), so that neither the cache nor an error tells anything to one who may not
 * know it. A refusal by the rate limit waits for nothing else. When the rate limit cannot be kept because its store
 * fails, the request fails (INTERNAL): the answer would come from the same store, and the limit is a promise.
 */
export function readEndpoint<Body extends { period: Period }, Parameters extends Values, Prepared>(
  definition: ReadDefinition<Body, Parameters, Prepared>,
  dependencies: ReadDependencies,
): HttpHandler {
  const { sites, rateLimit, cache, clock, queryBudgetMs = QUERY_BUDGET_MS } = dependencies;
  const answers = createAnswers(cache);

  return async (request) => {
    const principal = requirePrincipal(request.authorizer);
    const now = clock();
    const controller = new AbortController();
    try {
      const admission = takeQuota(rateLimit, principal, now);
      const answer = beginAnswer(request, principal, now, controller);
      const quota = quotaHeaders(await admission, now);
      const response = await answer().catch((error) => errorResponse(error, request));
      return { ...response, headers: { ...response.headers, ...quota } };
    } finally {
      controller.abort();
    }
  };

  /** Starts every read there is to start, and returns what waits for them in the order of the checks. */
  function beginAnswer(
    { query, headers }: HttpRequest,
    principal: Principal,
    now: Instant,
    controller: AbortController,
  ): () => Promise<HttpResponse> {
    const fresh = wantsFresh(headers["cache-control"]);
    const siteId = begin(async () => readSiteId(query));
    const site = begin(async () => findReadableSite(principal, await siteId));
    const question = begin(async () => readQuestion(query, await siteId, now, controller.signal));
    const key = begin(async () => cacheKey(principal, await question));
    const kept = begin(async () => (fresh ? null : answers.kept(await key, now)));
    const prepared = begin(async () => prepare(await question));

    return async () => {
      const granted = { site: await site, prepared, ...(await question) };
      const hit = await kept;
      if (hit !== null) return answered(hit, "HIT");
      const compute = fresh ? answers.compute : answers.join;
      const text = await compute(await key, now, () =>
        withinBudget(queryBudgetMs, controller, () => ask(granted)),
      );
      return answered(text, "MISS");
    };
  }

  async function findReadableSite(principal: Principal, siteId: number): Promise<Site> {
    const site = Number.isSafeInteger(siteId) ? await sites.find(siteId) : null;
    if (!mayRead(principal, site)) throw new ApiError("SITE_ACCESS_DENIED");
    return site;
  }

  function readQuestion(query: URLSearchParams, siteId: number, now: Instant, signal: AbortSignal) {
    const range = readRange(query, now);
    const own = Object.entries(definition.parameters ?? {}).map(([name, own]) => [
      name,
      own.read(parameter(query, name)),
    ]);
    return { siteId, range, parameters: Object.fromEntries(own) as Parameters, now, signal };
  }

  /** Site and parameters as used: what is left out, unknown or spelled otherwise makes no other key. */
  function cacheKey(
    { workspace }: Principal,
    { siteId, range, parameters }: ReadQuestion<Parameters>,
  ): string {
    const { from, to, timezone } = range.period;
    const own = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return [definition.name, workspace, siteId, from, to, timezone, ...own].join("#");
  }

  async function prepare(question: ReadQuestion<Parameters>): Promise<Prepared> {
    return definition.prepare ? definition.prepare(question) : (undefined as Prepared);
  }

  async function ask(question: GrantedQuestion<Parameters, Prepared>): Promise<string> {
    const figures = await definition.query(question);
    return JSON.stringify(definition.response.parse({ period: question.range.period, ...figures }));
  }
}

const answered = (text: string, cache: "HIT" | "MISS"): HttpResponse => ({
  status: 200,
  body: text,
  headers: { ...JSON_HEADERS, "x-cache": cache },
});

/** Whether `Cache-Control` of the request holds `no-cache`, in any case, among whatever else. */
const wantsFresh = (cacheControl = ""): boolean =>
  cacheControl.split(",").some((directive) => directive.trim().toLowerCase() === "no-cache");

/** Starts `work` now. Whoever awaits it meets its failure; if nobody does, nothing happens. */
function begin<Result>(work: () => Promise<Result>): Promise<Result> {
  const promise = work();
  promise.catch(() => {});
  return promise;
}
