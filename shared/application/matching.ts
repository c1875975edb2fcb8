import { decideCredit } from "../domain/attribution/credit";
import type { Match } from "../domain/conversion/event";
import type { Reading } from "../domain/conversion/reading";
import type { Instant } from "../domain/instant";
import type { VisitorReader } from "../ports/visitors";

/** What a match is looked for with. */
interface MatchQuestion {
  readonly site: number;
  readonly reading: Reading;
  readonly at: Instant;
}

/** Looks for the real visit one kind of identifier leads to; null when the payload has none or it leads nowhere. */
export type Matcher = (question: MatchQuestion) => Promise<Match | null>;

/**
 * Asks the matchers, strongest first, and takes the first that finds a real visit (contract: "Inbound webhook", rule 2).
 * They look together, so that several identifiers cost no more round trips than one, and are judged in their order.
 */
export const firstMatch =
  (matchers: readonly Matcher[]): Matcher =>
  async (question) => {
    const found = await Promise.all(matchers.map((match) => match(question)));
    return found.find((match) => match !== null) ?? null;
  };

/**
 * By the visitor's own cookie. A visitor without a visit up to the event is no match: one whose first page view is
 * still on its way through the queue (a second or so) counts as not there yet.
 */
export const byVisitorId =
  (visitors: Pick<VisitorReader, "findVisitor" | "visitsOf">): Matcher =>
  async ({ site, reading: { visitorId: evid }, at }) => {
    if (evid === null) return null;
    const [visitor, decision] = await Promise.all([
      visitors.findVisitor(site, evid),
      decideCredit(visitors.visitsOf(site, evid, { upTo: at, newestFirst: true }), at),
    ]);
    if (!visitor || !decision) return null;
    const { credited, latest } = decision;
    return {
      by: "visitor_id",
      evid,
      visitor: visitor.number,
      credited: {
        visit: credited.visit,
        at: credited.at,
        source: credited.source,
        channel: credited.channel,
      },
      latest: { visit: latest.visit, at: latest.at },
    };
  };
