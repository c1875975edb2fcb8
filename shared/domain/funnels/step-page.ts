import { pathOf } from "../tracking/address";

/** A page step as it is kept, or what is wrong with it, to follow the field's name. */
export type StepPage = { readonly page: string } | { readonly problem: string };

const MAX_LENGTH = 2_000;
/** The route of a page that routes by hash; any other fragment is no part of what is counted. */
const FRAGMENT = /#(?!!?\/)/;
const DOT_SEGMENT = /\/(\.|%2e){1,2}(?=\/|\*?$)/i;

/**
 * Brings a step's page into the form that page views are counted under (see `pathOf`), so that what stands in the address
 * bar and what `/v1/pages` lists both match: `/über uns` is `/%C3%BCber%20uns`, an e-mail address is masked, and what is
 * beyond the length a path is counted by goes. A `*` at the end stays one.
 */
export function stepPage(text: string): StepPage {
  const given = text.trim();
  const isPrefix = given.endsWith("*");
  const path = isPrefix ? given.slice(0, -1) : given;
  if (!given.startsWith("/")) return { problem: "must begin with /, as in /pricing, without the domain" };
  if (given.length > MAX_LENGTH) return { problem: `must have at most ${MAX_LENGTH} characters` };
  if (!given.isWellFormed() || /\p{Cc}/u.test(given)) return { problem: "must not hold control characters" };
  if (path.includes("*")) return { problem: "can have one *, at its end" };
  if (path.includes("?")) return { problem: "must be without the query, which begins with ?" };
  if (FRAGMENT.test(path)) return { problem: "must be without the fragment, which begins with #" };
  if (DOT_SEGMENT.test(given)) return { problem: "must not have . or .. between slashes" };
  const counted = pathOf(new URL(`https://site.example${path}`), true);
  return { page: isPrefix ? `${counted}*` : counted };
}
