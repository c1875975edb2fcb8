import { isWithin } from "../attribution/hosts";

/**
 * Whether a request comes from a page of the site: its `Origin`, or where there is none its `Referer`, names the
 * site's domain or a host under it. Ports are not looked at; an opaque origin (`null`) is no page of anybody's.
 */
export function isFromSite(origin: string | undefined, referer: string | undefined, domain: string): boolean {
  const page = URL.parse(origin ?? referer ?? "");
  return page !== null && /^https?:$/.test(page.protocol) && isWithin(page.hostname, domain);
}
