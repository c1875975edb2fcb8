import type { Site } from "../../shared/domain/access/principal";
import type { TrafficFact } from "../../shared/domain/analytics/fact";
import { type Classification, classify } from "../../shared/domain/attribution/channel";
import { readTouch, type Touch } from "../../shared/domain/attribution/touch";
import type { TrafficHit, TrafficMessage } from "../../shared/domain/tracking/message";
import { factsOf } from "../../shared/domain/tracking/traffic-facts";
import type { Introduction } from "../../shared/ports/people";
import type { JournalEntry, Sighting } from "../../shared/ports/visitor-registry";
import type { Visitor, VisitRecord } from "../../shared/ports/visitors";

import { introductionOf, mergeIntroductions } from "./introduce";
import { type TrackedEvent, trackedEvents } from "./tracked-events";

/** What one message asks for, worked out before anything is written. */
export interface Plan {
  /** The queue's id of the message. */
  readonly id: string;
  readonly site: number;
  readonly evid: string;
  /** What its pages reported, to be recorded once the visit is written. */
  readonly events: readonly TrackedEvent[];
  /** Names the visitor among those of the batch. */
  readonly visitor: string;
  /** The visitor with the earliest visit of the message. */
  readonly sighting: Sighting;
  /** What Identity must hold before the facts may be written, by a name equal for equal things of other messages. */
  readonly entries: ReadonlyMap<string, JournalEntry>;
  /** Who said who they are, likewise by name; to be told once the visits are written. */
  readonly people: ReadonlyMap<string, Introduction>;
  facts(visitor: Visitor): TrafficFact[];
}

/** Plans a message, which has at least one hit. A function of the message and the rules: redelivered, it plans the same. */
export function planOf(id: string, site: Site, message: TrafficMessage): Plan {
  const { evid, country } = message;
  const hits = message.hits.map((hit) => {
    const touch = readTouch(hit.visit.landingUrl, hit.visit.referrer);
    return { hit, touch, origin: classify(touch, site.domain) };
  });
  return {
    id,
    site: site.id,
    evid,
    events: trackedEvents(message),
    visitor: `${site.id} ${evid}`,
    sighting: { site: site.id, evid, visit: earliestVisit(message) },
    entries: mergeEntries(
      hits.flatMap(({ hit, touch, origin }) => entriesOf(site.id, message, hit, touch, origin)),
    ),
    people: mergeIntroductions(message.hits.flatMap((hit) => introductionOf(site.id, hit))),
    facts: (visitor) =>
      hits.flatMap(({ hit, origin }) =>
        factsOf({ hit, origin, country, visitor: visitor.number, firstVisit: visitor.firstVisit.visit }),
      ),
  };
}

const earliestVisit = ({ hits }: TrafficMessage): Sighting["visit"] =>
  hits
    .map(({ visit }) => ({ visit: visit.id, at: visit.at }))
    .reduce((earliest, visit) => (visit.at < earliest.at ? visit : earliest));

type Named<T> = readonly [name: string, value: T];

function entriesOf(
  site: number,
  message: TrafficMessage,
  hit: TrafficHit,
  touch: Touch,
  origin: Classification,
): Named<JournalEntry>[] {
  const of = { site, evid: message.evid };
  const visit = { visit: hit.visit.id, at: hit.visit.at };
  const entries: Named<JournalEntry>[] = [];
  if (hit.first) {
    const record = recordOf(message, hit, touch, origin);
    entries.push([`visit ${site} ${of.evid} ${visit.visit} ${visit.at}`, { kind: "visit", ...of, record }]);
    for (const clickId of new Set(Object.values(touch.clickIds))) {
      entries.push([`click ${site} ${clickId}`, { kind: "click", ...of, clickId, visit }]);
    }
  }
  if (hit.kind === "identify" && hit.contact.email !== undefined) {
    const { email } = hit.contact;
    entries.push([`email ${site} ${of.evid} ${email}`, { kind: "email", ...of, email, visit }]);
  }
  return entries;
}

const recordOf = (
  { country, gpc }: TrafficMessage,
  { visit }: TrafficHit,
  touch: Touch,
  { source, channel, rule, version }: Classification,
): VisitRecord => ({
  ...{ visit: visit.id, at: visit.at, source, channel, rule, rulesVersion: version },
  ...{ path: visit.path, touch, country, gpc, browserIds: visit.browserIds },
});

/** Each thing once. A click id belongs to the first visit that carried it, an e-mail to the latest that named it. */
export function mergeEntries(entries: Iterable<Named<JournalEntry>>): Map<string, JournalEntry> {
  const merged = new Map<string, JournalEntry>();
  for (const [name, entry] of entries) {
    const other = merged.get(name);
    if (other === undefined || prevails(entry, other)) merged.set(name, entry);
  }
  return merged;
}

function prevails(entry: JournalEntry, other: JournalEntry): boolean {
  if (entry.kind === "visit" || other.kind === "visit") return false;
  const later = entry.visit.at - other.visit.at;
  return entry.kind === "click" ? later < 0 : later > 0;
}

/** Each visitor of the plans once, with the earliest visit the batch knows of. */
export function mergeSightings(plans: readonly Plan[]): Map<string, Sighting> {
  const merged = new Map<string, Sighting>();
  for (const { visitor, sighting } of plans) {
    const other = merged.get(visitor);
    if (other === undefined || sighting.visit.at < other.visit.at) merged.set(visitor, sighting);
  }
  return merged;
}
