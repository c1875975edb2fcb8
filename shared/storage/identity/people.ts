import { QueryCommand } from "@aws-sdk/lib-dynamodb";
import { normalEmail } from "../../domain/conversion/text";
import type { PeopleReader } from "../../ports/people";
import type { Dynamo } from "../dynamo";
import { fromReferenceItem } from "../tracking/visitor-items";
import { emailPk } from "../tracking/visitor-keys";
import { PERSON, REST, SECOND, VISITOR_PREFIX, WAITING_PREFIX } from "./identity-keys";
import { fromPersonItem, fromSecondItem } from "./person-item";

/**
 * Items of an e-mail that are read: at 250 bytes each they come in one answer. Beyond that lie visitors of an address that
 * a thousand browsers share, and waiting events, which are looked after by the clock as well.
 */
const MOST_ITEMS = 1_000;

/** Reads people from the Identity table, consistently. */
export function createPeopleReader(dynamo: Dynamo, table: string): PeopleReader {
  return {
    async known(site, address) {
      const email = normalEmail(address);
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: "pk = :pk AND sk < :rest",
          ExpressionAttributeValues: { ":pk": emailPk(site, email), ":rest": REST },
          Limit: MOST_ITEMS,
          ConsistentRead: true,
        }),
      );
      const one = (sk: string) => Items.find((item) => item.sk === sk);
      const some = (prefix: string) => Items.filter((item) => String(item.sk).startsWith(prefix));
      const [person, second] = [one(PERSON), one(SECOND)];
      return {
        email,
        person: person ? fromPersonItem(person) : null,
        secondOf: second ? fromSecondItem(second) : null,
        visitors: some(VISITOR_PREFIX)
          .map(fromReferenceItem)
          .sort((a, b) => b.at - a.at),
        waiting: some(WAITING_PREFIX).map(({ sk }) => String(sk).slice(WAITING_PREFIX.length)),
      };
    },
  };
}
