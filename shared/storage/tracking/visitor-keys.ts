import { createHash } from "node:crypto";
import type { Instant } from "../../domain/instant";
import { toIso } from "../../domain/instant";
import type { VisitKey } from "../../ports/visitors";

/**
 * Keys of the traffic writer's items in the Identity table.
 *
 * | pk                      | sk                   | item                                                       |
 * |-------------------------|----------------------|------------------------------------------------------------|
 * | V#site#evid             | visitor              | a visitor: number, first visit                             |
 * | V#site#evid             | visit#time#id        | a visit, in order of its start                             |
 * | K#site#hash             | click                | the first visit that carried a click id                    |
 * | E#site#hash             | visitor#evid         | a visitor an e-mail was attached to, with the latest visit |
 * | N#site                  | visitor-numbers      | the last visitor number leased                             |
 *
 * Click ids and e-mails stand in keys as SHA-256, so that no key holds personal data.
 */
const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

const visitorPk = (site: number, evid: string): string => `V#${site}#${evid}`;

export const visitorKey = (site: number, evid: string) => ({ pk: visitorPk(site, evid), sk: "visitor" });

export const visitKey = (site: number, evid: string, { visit, at }: VisitKey) => ({
  pk: visitorPk(site, evid),
  sk: `visit#${toIso(at)}#${visit}`,
});

/** Every visit that began at or before `upTo`. `~` is after every character of an id. */
export const visitRange = (site: number, evid: string, upTo: Instant) => ({
  pk: visitorPk(site, evid),
  from: "visit#",
  to: `visit#${toIso(upTo)}#~`,
});

export const clickKey = (site: number, clickId: string) => ({
  pk: `K#${site}#${sha256(clickId)}`,
  sk: "click",
});

export const emailPk = (site: number, email: string): string =>
  `E#${site}#${sha256(email.trim().toLowerCase())}`;

export const emailKey = (site: number, email: string, evid: string) => ({
  pk: emailPk(site, email),
  sk: `visitor#${evid}`,
});

export const visitorNumbersKey = (site: number) => ({ pk: `N#${site}`, sk: "visitor-numbers" });
