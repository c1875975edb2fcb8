import { DAY, type Instant, MINUTE, SECOND } from "../instant";

/** Clocks within this are believed; beyond it a hit may simply have waited for the network. */
const BELIEVED_BEHIND = 5 * MINUTE;
const BELIEVED_AHEAD = 2 * SECOND;

/**
 * Puts times of a browser's clock on ours. The answer maps a time of the request to ours.
 *
 * A clock that is about right is left alone, so that a hit sent twice keeps its time and folds away. A wrong one is
 * moved by whole minutes, for the same reason: the measured error differs by the network's delay each time, and two
 * hits of one visit must agree on when it began. The result is never more than 2 s after `received`, so that a visit
 * does not begin after the conversion it led to.
 *
 * @param sent the browser's time when it sent the request
 * @param received our time when it arrived
 */
export function serverTime(sent: Instant, received: Instant): (browserTime: Instant) => Instant {
  const ahead = sent - received;
  if (ahead <= BELIEVED_AHEAD && ahead > -BELIEVED_BEHIND) return Math.round;
  const shift = Math.ceil(ahead / MINUTE) * MINUTE;
  return (browserTime) => Math.round(browserTime - shift);
}

/** Hits older than this are dropped: their quarters are long sealed, and a replayed beacon cannot rewrite last week. */
export const isTooOld = (at: Instant, received: Instant): boolean => at < received - DAY;
