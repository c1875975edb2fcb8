import type { IdentityChange } from "../../domain/identity/changes";
import type { AttachedVisitor, Person } from "../../domain/identity/known-email";
import { toReferenceItem } from "../tracking/visitor-items";
import { emailKey } from "../tracking/visitor-keys";
import type { TransactItem } from "../transact";
import { listedSecondKey, personKey, secondKey } from "./identity-keys";
import { personUpdate, toSecondItem } from "./person-item";

/** What becomes known by a conversion, as items of its transaction. */
export interface IdentityWrites {
  readonly items: readonly TransactItem[];
  /**
   * Given the places of the items whose condition failed: the changes without those that were made already by somebody
   * else. Null when one of the others failed: then the changes are to be decided anew.
   */
  refused(places: readonly number[]): readonly IdentityChange[] | null;
}

export function identityWrites(
  table: string,
  site: number,
  changes: readonly IdentityChange[],
): IdentityWrites {
  const written = changes.flatMap((change) => itemsOf(table, site, change).map((item) => ({ change, item })));
  return {
    items: written.map(({ item }) => item),
    refused(places) {
      const refused = new Set(places.map((place) => written[place]?.change));
      const wereMade = [...refused].every((change) => change?.kind === "attach");
      return wereMade ? changes.filter((change) => !refused.has(change)) : null;
    },
  };
}

function itemsOf(table: string, site: number, change: IdentityChange): TransactItem[] {
  switch (change.kind) {
    case "person":
      return [{ Update: personWrite(table, site, change.before, change.after) }];
    case "attach":
      return [{ Put: attachment(table, site, change.email, change.visitor) }];
    case "second": {
      const { email, of, at } = change;
      const second = { ...secondKey(site, email), ...toSecondItem({ email: of, since: at }) };
      const listed = { ...listedSecondKey(site, of, email), email, since: at };
      return [
        { Put: { TableName: table, Item: second, ConditionExpression: "attribute_not_exists(pk)" } },
        { Put: { TableName: table, Item: listed } },
      ];
    }
  }
}

export const personWrite = (table: string, site: number, before: Person | null, after: Person) => ({
  TableName: table,
  Key: personKey(site, after.email),
  ...personUpdate(before, after),
});

/** An e-mail leads to the latest visit it was attached to, and is never moved back in time. */
export const attachment = (table: string, site: number, email: string, visitor: AttachedVisitor) => ({
  TableName: table,
  Item: { ...emailKey(site, email, visitor.evid), ...toReferenceItem(visitor), email },
  ConditionExpression: "attribute_not_exists(pk) OR #at < :at",
  ExpressionAttributeNames: { "#at": "at" },
  ExpressionAttributeValues: { ":at": visitor.at },
});
