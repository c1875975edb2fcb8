import { eventKind } from "../conversion/event-type";
import { DAY, type Instant } from "../instant";
import { landingOf, parsePage, pathOf, referrerOf } from "./address";
import { type BeaconHit, type Envelope, readHit } from "./beacon";
import type { TrafficHit } from "./message";
import { isTooOld, serverTime } from "./server-time";

/** Hits taken of one request; the snippet sends fewer. */
const MOST_HITS = 20;

/** The hits of a request that are good, put on our clock and cleaned of personal data; the others are only counted. */
export function acceptHits(envelope: Envelope, received: Instant): { hits: TrafficHit[]; rejected: number } {
  const onOurClock = serverTime(envelope.now, received);
  const hits = envelope.hits
    .slice(0, MOST_HITS)
    .map(readHit)
    .map((hit) =>
      hit !== null && isOrdered(hit, envelope.now) && isNamedAsCustom(hit)
        ? toTraffic(hit, onOurClock)
        : null,
    )
    .filter((hit) => hit !== null)
    .filter((hit) => !isTooOld(hit.at, received));
  return { hits, rejected: envelope.hits.length - hits.length };
}

/** Visit, page, hit, request: each begins no earlier than the one before, and a visit lasts a day at most. */
const isOrdered = ({ visit, page, t }: BeaconHit, sent: Instant): boolean =>
  visit.start <= page.t && page.t <= t && t <= sent && t - visit.start <= DAY;

/** Pages report events of their own names only: a Purchase is what a tool says over its secret URL, not what any visitor may. */
const isNamedAsCustom = (hit: BeaconHit): boolean =>
  hit.kind !== "event" || eventKind(hit.name)?.type === "Custom";

function toTraffic(hit: BeaconHit, onOurClock: (browserTime: Instant) => Instant): TrafficHit | null {
  const { t, first, visit, page, ...what } = hit;
  const entry = parsePage(visit.url);
  const viewed = parsePage(page.url);
  if (entry === null || viewed === null) return null;
  return {
    ...what,
    at: onOurClock(t),
    first,
    visit: {
      id: visit.id,
      at: onOurClock(visit.start),
      path: pathOf(entry, page.hash),
      landingUrl: landingOf(entry),
      referrer: visit.referrer ? referrerOf(visit.referrer) : null,
      browserIds: visit.ids,
    },
    page: { id: page.id, index: page.index, path: pathOf(viewed, page.hash), at: onOurClock(page.t) },
  };
}
