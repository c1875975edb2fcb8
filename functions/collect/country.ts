import type { HttpRequest } from "../../shared/lambda/http";
import { log } from "../../shared/lambda/log";
import type { CountryOfAddress } from "../../shared/ports/country";

const UNKNOWN_COUNTRY = "(unknown)";

/** Codes a CDN answers for "no country": unknown, Tor, an anonymous proxy, a satellite. */
const NO_COUNTRY = new Set(["XX", "ZZ", "T1", "A1", "A2", "AP", "EU"]);
const MOST_HOPS = 5;

/**
 * The visitor's country: as the CDN names it, else that of the first public address the request passed through. The
 * site's own proxy puts the visitor's address into `X-Forwarded-For`; who forges it changes his own country alone. The
 * address itself is not kept.
 */
export async function countryOf(request: HttpRequest, ofAddress: CountryOfAddress): Promise<string> {
  const named = asCountry(request.headers["cloudfront-viewer-country"] ?? null);
  if (named !== null) return named;
  const hops = (request.headers["x-forwarded-for"] ?? "").split(",", MOST_HOPS).map((hop) => hop.trim());
  try {
    for (const address of [...hops, request.sourceIp]) {
      const country = asCountry(await ofAddress(address));
      if (country !== null) return country;
    }
  } catch (error) {
    log.error("no country database", { error: error as Error });
  }
  return UNKNOWN_COUNTRY;
}

function asCountry(code: string | null): string | null {
  const country = code?.trim().toUpperCase() ?? "";
  return /^[A-Z]{2}$/.test(country) && !NO_COUNTRY.has(country) ? country : null;
}
