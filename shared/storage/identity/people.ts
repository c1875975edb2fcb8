import { QueryCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { normalEmail } from "../../domain/conversion/text";
import { personAfter } from "../../domain/identity/person";
import { newId, type RandomBytes } from "../../domain/ids";
import type { Introduction, PeopleReader, PeopleRegistry } from "../../ports/people";
import type { Dynamo } from "../dynamo";
import { settleAll } from "../settle";
import { fromReferenceItem } from "../tracking/visitor-items";
import { emailPk } from "../tracking/visitor-keys";
import { retryPassing } from "../transact";
import { PERSON, REST, SECOND, VISITOR_PREFIX, WAITING_PREFIX } from "./identity-keys";
import { personWrite } from "./identity-writes";
import { fromPersonItem, fromSecondItem } from "./person-item";

/**
 * Items of an e-mail that are read: at 250 bytes each they come in one answer. Beyond that lie visitors of an address that
 * a thousand browsers share, and waiting events, which are looked after by the clock as well.
 */
const MOST_ITEMS = 1_000;
const WIDTH = 16;

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

/** Makes people known in the Identity table. Pages say the same over and over: what is known already is not written again. */
export function createPeopleRegistry(dynamo: Dynamo, table: string, random: RandomBytes): PeopleRegistry {
  const reader = createPeopleReader(dynamo, table);

  async function tell({ site, email, ...told }: Introduction): Promise<readonly string[]> {
    const known = await reader.known(site, email);
    const after = personAfter(known.person, known.email, { ...told, newId: newId("per", told.at, random) });
    if (after) {
      const write = new UpdateCommand(personWrite(table, site, known.person, after));
      await retryPassing(() => dynamo.send(write));
    }
    return known.waiting;
  }
  return { tell: (introductions) => settleAll(introductions, WIDTH, tell) };
}
