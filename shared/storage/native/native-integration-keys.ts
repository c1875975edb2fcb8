/**
 * Keys of native integrations in the Config table.
 *
 * | pk                       | sk   | item                                                                    |
 * |--------------------------|------|-------------------------------------------------------------------------|
 * | native-integrations#site | kind | the site's integration with that service, URL as a hash, secrets sealed |
 *
 * One item each: one of a kind, found by its URL, listed with the site's others, and dead the moment it is deleted.
 */
export const nativeIntegrationsPk = (site: number): string => `native-integrations#${site}`;

export const nativeIntegrationKey = (site: number, kind: string) => ({
  pk: nativeIntegrationsPk(site),
  sk: kind,
});
