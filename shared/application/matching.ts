import { decideCredit } from "../domain/attribution/credit";
import type { Match, MatchedBy } from "../domain/conversion/event";
import type { KnownEmail } from "../domain/identity/known-email";
import type { Instant } from "../domain/instant";
import type { VisitorReader, VisitRecord } from "../ports/visitors";

/** What a visit is looked for with. */
export interface MatchQuestion {
  readonly site: number;
  readonly at: Instant;
  /** The visitor's cookie; null when it was not sent. */
  readonly visitorId: string | null;
  readonly clickIds: readonly string[];
  /** What is known of the e-mails to be tried, strongest first. */
  readonly emails: Promise<readonly KnownEmail[]>;
}

/** A match, none, or where the next look has to go: another round trip. */
type Trace = Match | null | (() => Promise<Match | null>);

/** Looks for the real visit one kind of identifier leads to: one that exists and began at or before the event. */
export type Matcher = (question: MatchQuestion) => Promise<Trace>;

/**
 * Asks the matchers, strongest first, and takes the first that finds a real visit (contract: "Inbound webhook", rule 2).
 * They look together and are judged in their order, so that several identifiers cost no more round trips than one: two,
 * and one where the strongest is found at once.
 */
export const firstMatch =
  (matchers: readonly Matcher[]) =>
  async (question: MatchQuestion): Promise<Match | null> => {
    const traces = await Promise.all(matchers.map((match) => match(question)));
    const found = traces.findIndex((trace) => trace !== null && typeof trace === "object");
    const worthwhile = found < 0 ? traces : traces.slice(0, found + 1);
    const matches = await Promise.all(
      worthwhile.map((trace) => (typeof trace === "function" ? trace() : trace)),
    );
    return matches.find((match) => match !== null) ?? null;
  };

/**
 * By the visitor's own cookie. A visitor without a visit up to the event is no match: one whose first page view is
 * still on its way through the queue (a second or so) counts as not there yet.
 */
export const byVisitorId =
  (visitors: Pick<VisitorReader, "findVisitor" | "visitsOf">): Matcher =>
  async ({ site, visitorId: evid, at }) => {
    if (evid === null) return null;
    const found = await journeyOf(visitors, site, evid, at);
    return found && credit("visitor_id", found, at);
  };

/** By click id: of those sent, the first whose visit exists. Credited is the visit that carried it. */
export const byClickId =
  (visitors: Pick<VisitorReader, "findVisitor" | "visitsOf" | "findClick" | "findVisit">): Matcher =>
  async ({ site, clickIds, at }) => {
    const clicks = await Promise.all(clickIds.map((clickId) => visitors.findClick(site, clickId)));
    const carriers = clicks.filter((click) => click !== null && click.at <= at);
    if (carriers.length === 0) return null;
    return async () => {
      const matches = await Promise.all(
        carriers.map(async (click): Promise<Match | null> => {
          if (!click) return null;
          const [carrier, journey] = await Promise.all([
            visitors.findVisit(site, click),
            journeyOf(visitors, site, click.evid, at, 1),
          ]);
          return carrier && journey && matchOf("click_id", journey, carrier, journey.latest);
        }),
      );
      return matches.find((match) => match !== null) ?? null;
    };
  };

/** Visitors of one e-mail that are looked at: those it was attached to last. */
const MOST_VISITORS = 25;

/** By e-mail: of the first e-mail that leads to a real visit, the visitor who was there last. */
export const byEmail =
  (visitors: Pick<VisitorReader, "findVisitor" | "visitsOf">): Matcher =>
  async ({ site, emails, at }) => {
    const attached = (await emails).map((email) => email.visitors.slice(0, MOST_VISITORS));
    const evids = [...new Set(attached.flat().map(({ evid }) => evid))];
    if (evids.length === 0) return null;
    return async () => {
      const journeys = await Promise.all(evids.map((evid) => journeyOf(visitors, site, evid, at)));
      for (const some of attached) {
        const own = journeys.filter((journey) => some.some(({ evid }) => evid === journey?.evid));
        const [last] = own.filter((journey) => journey !== null).sort((a, b) => b.latest.at - a.latest.at);
        if (last) return credit("email", last, at);
      }
      return null;
    };
  };

/** A real visitor, as far as one round trip shows. */
interface Journey {
  readonly evid: string;
  readonly number: number;
  readonly latest: VisitRecord;
  /** Visits at or before the event, newest first; the first page is there already. */
  readonly pages: AsyncIterable<readonly VisitRecord[]>;
}

async function journeyOf(
  visitors: Pick<VisitorReader, "findVisitor" | "visitsOf">,
  site: number,
  evid: string,
  at: Instant,
  limit?: number,
): Promise<Journey | null> {
  const range = { upTo: at, newestFirst: true, ...(limit === undefined ? {} : { limit }) };
  const pages = visitors.visitsOf(site, evid, range)[Symbol.asyncIterator]();
  const [visitor, first] = await Promise.all([visitors.findVisitor(site, evid), pages.next()]);
  const latest = first.done ? undefined : first.value[0];
  if (!visitor || first.done || !latest) return null;
  return { evid, number: visitor.number, latest, pages: withFirst(first.value, pages) };
}

async function* withFirst<Page>(first: Page, rest: AsyncIterator<Page>): AsyncGenerator<Page> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

async function credit(by: MatchedBy, journey: Journey, at: Instant): Promise<Match | null> {
  const decision = await decideCredit(journey.pages, at);
  return decision && matchOf(by, journey, decision.credited, decision.latest);
}

function matchOf(
  by: MatchedBy,
  { evid, number }: Journey,
  { visit, at, source, channel }: VisitRecord,
  latest: VisitRecord,
): Match {
  return {
    by,
    evid,
    visitor: number,
    credited: { visit, at, source, channel },
    latest: { visit: latest.visit, at: latest.at },
  };
}
