/**
 * Keys of receipts in the Deliveries table.
 *
 * | pk                          | sk      | item                                             |
 * |-----------------------------|---------|--------------------------------------------------|
 * | receipts#site#whin_...      | rct_... | one delivery; ids are time-ordered, so lines are |
 */
export const receiptsPartition = (site: number, webhook: string): string => `receipts#${site}#${webhook}`;

export const receiptKey = (site: number, webhook: string, id: string) => ({
  pk: receiptsPartition(site, webhook),
  sk: id,
});
