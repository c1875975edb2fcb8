/**
 * Keys of receiving webhooks in the Config table.
 *
 * | pk                      | sk         | item                                                       |
 * |-------------------------|------------|------------------------------------------------------------|
 * | receiving-webhooks#site | whin_...   | a receiving webhook, its secret as a hash and sealed       |
 * | receiving-webhooks#site | count      | how many there are, in the transactions that change it     |
 *
 * One item each: found by its URL, listed with its site's others, and dead the moment it is deleted.
 */
export const receivingWebhooksPartition = (site: number): string => `receiving-webhooks#${site}`;

export const RECEIVING_WEBHOOK_PREFIX = "whin_";

export const receivingWebhookKey = (site: number, id: string) => ({
  pk: receivingWebhooksPartition(site),
  sk: id,
});

export const receivingWebhookCountKey = (site: number) => ({
  pk: receivingWebhooksPartition(site),
  sk: "count",
});
