/** Which country an IP address is in, as ISO 3166-1 alpha-2; null for one in none (private, unknown, no address). */
export type CountryOfAddress = (address: string) => Promise<string | null>;
