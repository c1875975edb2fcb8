/**
 * Keys of a site's custom events in the Config table.
 *
 * | pk                 | sk      | item                                         |
 * |--------------------|---------|----------------------------------------------|
 * | custom-events#site | cev_... | a name, and the ids of what fires or uses it |
 */
export const customEventsPartition = (site: number): string => `custom-events#${site}`;

export const CUSTOM_EVENT_PREFIX = "cev_";

export const customEventKey = (site: number, id: string) => ({ pk: customEventsPartition(site), sk: id });
