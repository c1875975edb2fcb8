import { ApiError } from "../../shared/domain/errors";
import { acceptHits } from "../../shared/domain/tracking/accept";
import { readEnvelope } from "../../shared/domain/tracking/beacon";
import type { TrafficMessage } from "../../shared/domain/tracking/message";
import { isFromSite } from "../../shared/domain/tracking/origin";
import { type HttpHandler, type HttpRequest, type HttpResponse, json } from "../../shared/lambda/http";
import type { Clock } from "../../shared/ports/clock";
import type { CountryOfAddress } from "../../shared/ports/country";
import type { Queue } from "../../shared/ports/queue";
import type { SiteDirectory } from "../../shared/ports/sites";
import { isBot } from "./bots";
import { countryOf } from "./country";

export interface CollectDependencies {
  readonly sites: SiteDirectory;
  readonly traffic: Queue<TrafficMessage>;
  readonly countryOfAddress: CountryOfAddress;
  readonly clock: Clock;
}

/** What a browser lets a page send as it closes; so no honest beacon is larger. */
const LONGEST_BODY = 65_536;

/**
 * Takes page views: checks that they come from a page of the site, cleans them and puts them on the traffic queue.
 * Bots are answered like anybody and dropped. Nothing is read but the site.
 */
export const collectHandler =
  ({ sites, traffic, countryOfAddress, clock }: CollectDependencies): HttpHandler =>
  async (request) => {
    if (request.method === "OPTIONS") return preflight(request);
    const { headers, body } = request;
    if (body.length > LONGEST_BODY) throw new ApiError("OVERSIZED", "The body is larger than 64 KB.");
    if (isBot(headers["user-agent"], headers.host)) return accepted(request, 0, 0);

    const received = clock();
    const envelope = readEnvelope(body);
    if (envelope === null) throw new ApiError("BAD_REQUEST", "The body is not a beacon of the snippet.");
    const [site, country] = await Promise.all([
      sites.find(envelope.site),
      countryOf(request, countryOfAddress),
    ]);
    if (site === null || !isFromSite(headers.origin, headers.referer, site.domain)) {
      throw new ApiError("ORIGIN_NOT_ALLOWED");
    }

    const { hits, rejected } = acceptHits(envelope, received);
    if (hits.length > 0) {
      const gpc = envelope.gpc === true || headers["sec-gpc"] === "1";
      await traffic.send({ site: site.id, received, evid: envelope.evid, country, gpc, hits });
    }
    return { ...accepted(request, hits.length, rejected), cookies: lastingCookie(request, envelope.evid) };
  };

const accepted = (request: HttpRequest, taken: number, rejected: number): HttpResponse =>
  json(202, { accepted: taken, ...(rejected > 0 ? { rejected } : {}) }, allowOrigin(request));

/**
 * Through a path of the site's own the visitor's cookie is set again by a server: in Safari one set by a script lives
 * for 7 days only. From another origin the browser ignores it, so none is sent.
 */
const lastingCookie = ({ headers }: HttpRequest, evid: string): string[] =>
  headers["sec-fetch-site"] === "same-origin"
    ? [
        `_evid=${evid}; Path=/; Max-Age=34560000; SameSite=Lax${headers.origin?.startsWith("https:") ? "; Secure" : ""}`,
      ]
    : [];

/** Asked only by those who send another type than the snippet's `text/plain`. Whether the origin fits is judged by the POST. */
const preflight = (request: HttpRequest): HttpResponse => ({
  status: 204,
  headers: {
    ...allowOrigin(request),
    "access-control-allow-methods": "POST",
    "access-control-allow-headers": "content-type",
    "access-control-max-age": "86400",
  },
});

const allowOrigin = ({ headers }: HttpRequest): Record<string, string> => ({
  ...(headers.origin === undefined ? {} : { "access-control-allow-origin": headers.origin }),
  vary: "origin",
});
