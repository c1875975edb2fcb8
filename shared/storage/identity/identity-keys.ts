import { createHash } from "node:crypto";
import { emailPk } from "../tracking/visitor-keys";

/**
 * Keys of people in the Identity table: one partition for each e-mail of a site, so that one query reads all that is
 * known of it.
 *
 * | pk          | sk             | item                                                                      |
 * |-------------|----------------|---------------------------------------------------------------------------|
 * | E#site#hash | person         | the person whose first e-mail it is                                       |
 * | E#site#hash | second         | whose second e-mail it is                                                 |
 * | E#site#hash | visitor#evid   | a visitor it was attached to, with the latest visit (see tracking)        |
 * | E#site#hash | waiting#evt_   | an event waiting for the person of this e-mail; `ttl`                     |
 * | E#site#hash | ~second#hash   | a second e-mail of the person; behind everything, for it is rarely wanted |
 *
 * What decides comes first, so that however many visitors and events there are, the beginning of the partition holds it.
 */
export const PERSON = "person";
export const SECOND = "second";
export const VISITOR_PREFIX = "visitor#";
export const WAITING_PREFIX = "waiting#";
/** Everything but the list of second e-mails sorts before this. */
export const REST = "~";

export const personKey = (site: number, email: string) => ({ pk: emailPk(site, email), sk: PERSON });
export const secondKey = (site: number, email: string) => ({ pk: emailPk(site, email), sk: SECOND });
export const waitingKey = (site: number, email: string, event: string) => ({
  pk: emailPk(site, email),
  sk: WAITING_PREFIX + event,
});
export const listedSecondKey = (site: number, person: string, email: string) => ({
  pk: emailPk(site, person),
  sk: `${REST}second#${createHash("sha256").update(email).digest("base64url")}`,
});
