import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "../dynamo";
import { visitorNumbersKey } from "./visitor-keys";

/** Gives out visitor numbers of a site: each once, from 1, nearly without gaps. */
export interface VisitorNumbers {
  take(site: number, count: number): Promise<number[]>;
}

/** Numbers leased in one write. What an instance has left when it ends is lost: gaps are harmless, only size suffers. */
const LEASE = 100;

/**
 * Numbers from leased ranges: one write for a hundred new visitors instead of one each. Several instances, and several
 * calls within one, never give out the same number.
 */
export function createVisitorNumbers(dynamo: Dynamo, table: string): VisitorNumbers {
  const pools = new Map<number, number[]>();

  async function lease(site: number, atLeast: number): Promise<number[]> {
    const count = Math.ceil(atLeast / LEASE) * LEASE;
    const { Attributes } = await dynamo.send(
      new UpdateCommand({
        TableName: table,
        Key: visitorNumbersKey(site),
        UpdateExpression: "ADD #last :count",
        ExpressionAttributeNames: { "#last": "last" },
        ExpressionAttributeValues: { ":count": count },
        ReturnValues: "UPDATED_NEW",
      }),
    );
    const last = Number(Attributes?.last);
    return Array.from({ length: count }, (_, i) => last - count + 1 + i);
  }

  return {
    async take(site, count) {
      // Taken from the pool before anything is awaited, so that two calls cannot take the same.
      const taken = (pools.get(site) ?? []).splice(0, count);
      const missing = count - taken.length;
      if (missing === 0) return taken;
      const leased = await lease(site, missing);
      taken.push(...leased.splice(0, missing));
      pools.set(site, [...(pools.get(site) ?? []), ...leased]);
      return taken;
    },
  };
}
