import type { TransactItem } from "../transact";

/** Part of a transaction: it fails when the site's funnels are no longer those of `version`. */
export const funnelsUnchanged = (table: string, site: number, version: number): TransactItem => ({
  ConditionCheck: {
    TableName: table,
    Key: { pk: `site#${site}`, sk: "funnels" },
    ...(version === 0
      ? { ConditionExpression: "attribute_not_exists(pk)" }
      : {
          ConditionExpression: "version = :version",
          ExpressionAttributeValues: { ":version": version },
        }),
  },
});
