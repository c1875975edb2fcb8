import type { Origin } from "../analytics/fact";
import type { Instant } from "../instant";
import { isMarketing } from "./channel";

/** What credit is decided on. */
export interface CreditCandidate extends Origin {
  readonly at: Instant;
}

export interface CreditDecision<Visit> {
  readonly credited: Visit;
  /** The last visit at or before the event, credited or not. */
  readonly latest: Visit;
}

/**
 * Visits looked at before giving up on finding a marketing one: anyone can send page views of one visitor without end,
 * and a conversion must not hang on them.
 */
const MAX_VISITS = 5_000;

/**
 * Which of a visitor's visits is credited with an event at `at`: the latest one at or before it with a marketing
 * source, else the latest one; no look-back limit (decisions: "Credit"). Takes the visits newest first, page by page,
 * and stops reading at the first that decides. Null when there was none.
 */
export async function decideCredit<Visit extends CreditCandidate>(
  pages: AsyncIterable<readonly Visit[]>,
  at: Instant,
): Promise<CreditDecision<Visit> | null> {
  let latest: Visit | undefined;
  let seen = 0;
  for await (const page of pages) {
    const before = page.filter((visit) => visit.at <= at);
    latest ??= before[0];
    const credited = before.find(isMarketing);
    if (latest && credited) return { credited, latest };
    seen += page.length;
    if (seen >= MAX_VISITS) break;
  }
  return latest ? { credited: latest, latest } : null;
}
