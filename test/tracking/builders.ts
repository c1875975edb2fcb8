import type { Site } from "../../shared/domain/access/principal";
import type { TrafficHit, TrafficMessage } from "../../shared/domain/tracking/message";
import type { HttpRequest } from "../../shared/lambda/http";
import type { SiteDirectory } from "../../shared/ports/sites";

export const NOW = Date.UTC(2026, 10, 21, 12);

export const SITE: Site = { id: 1, workspace: 1, domain: "shop.example", name: "Shop" };
export const sitesOf = (...sites: Site[]): SiteDirectory => ({
  find: async (id) => sites.find((site) => site.id === id) ?? null,
});

type Overrides<T> = { [K in keyof T]?: T[K] };

/** A hit as the snippet sends it: the first page view of a visit that came by an ad, just now. */
export const beaconHit = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  kind: "pageview",
  t: NOW,
  first: true,
  visit: {
    id: "visit0001",
    start: NOW,
    url: "https://shop.example/?gclid=abc",
    referrer: "https://www.google.com/",
  },
  page: { id: "page00001", index: 0, url: "https://shop.example/?gclid=abc", t: NOW },
  ...overrides,
});

export const beacon = (overrides: Record<string, unknown> = {}): Record<string, unknown> => ({
  site: 1,
  evid: "visitor-0001",
  now: NOW,
  hits: [beaconHit()],
  ...overrides,
});

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36";

export const request = (body: unknown, overrides: Overrides<HttpRequest> = {}): HttpRequest => ({
  method: "POST",
  route: "POST /api/collect",
  path: "/api/collect",
  params: {},
  query: new URLSearchParams(),
  cookies: {},
  sourceIp: "203.0.113.9",
  requestId: "request-1",
  authorizer: {},
  body:
    body instanceof Uint8Array ? body : Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  ...overrides,
  headers: {
    "user-agent": CHROME,
    origin: "https://shop.example",
    host: "api.example",
    ...overrides.headers,
  },
});

/** A hit on the queue: the first page view of a visit by an ad. */
export const trafficHit = (visit: string, overrides: Partial<TrafficHit> = {}): TrafficHit =>
  ({
    kind: "pageview",
    at: NOW,
    first: true,
    visit: {
      id: visit,
      at: NOW,
      path: "/",
      landingUrl: `https://shop.example/?utm_source=google&utm_medium=cpc&gclid=${visit}-click`,
      referrer: "https://www.google.com/",
      browserIds: {},
    },
    page: { id: `${visit}-p0`, index: 0, path: "/", at: NOW },
    ...overrides,
  }) as TrafficHit;

/** A later page view of the same visit. */
export const nextPage = (hit: TrafficHit, index: number): TrafficHit => ({
  ...hit,
  kind: "pageview",
  first: false,
  at: NOW + index * 1_000,
  page: { id: `${hit.visit.id}-p${index}`, index, path: `/page-${index}`, at: NOW + index * 1_000 },
});

export const trafficMessage = (evid: string, hits: TrafficHit[], site = 1): TrafficMessage => ({
  site,
  received: NOW,
  evid,
  country: "DE",
  gpc: false,
  hits,
});

export const queued = (...bodies: unknown[]) =>
  bodies.map((body, i) => ({ id: `m${i}`, body: structuredClone(body), receiveCount: 1 }));
