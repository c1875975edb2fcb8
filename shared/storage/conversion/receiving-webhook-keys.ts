/**
 * Keys of receiving webhooks in the Config table.
 *
 * | pk                      | sk         | item                                   |
 * |-------------------------|------------|----------------------------------------|
 * | receiving-webhooks#site | whin_...   | a receiving webhook, secret as a hash  |
 *
 * One item each: found by its URL, listed with its site's others, and dead the moment it is deleted.
 */
const receivingWebhookPartition = (site: number): string => `receiving-webhooks#${site}`;

export const receivingWebhookKey = (site: number, id: string) => ({
  pk: receivingWebhookPartition(site),
  sk: id,
});
