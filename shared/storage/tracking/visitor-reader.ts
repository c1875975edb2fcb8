import { GetCommand, QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { isEvid } from "../../domain/tracking/beacon";
import type { VisitorReader } from "../../ports/visitors";
import type { Item } from "../batch-get";
import type { Dynamo } from "../dynamo";
import { fromReferenceItem, fromVisitItem, fromVisitorItem } from "./visitor-items";
import { clickKey, visitKey, visitorKey, visitRange } from "./visitor-keys";

const DEFAULT_PAGE = 50;
const END_OF_TIME = Date.UTC(9999, 0);

/** Reads visitors and visits from the Identity table, consistently. */
export function createVisitorReader(dynamo: Dynamo, table: string): VisitorReader {
  async function get<Result>(key: { pk: string; sk: string }, parse: (item: Item) => Result) {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }));
    return Item === undefined ? null : parse(Item);
  }

  return {
    findVisitor: async (site, evid) => (isEvid(evid) ? get(visitorKey(site, evid), fromVisitorItem) : null),

    async *visitsOf(site, evid, { upTo = END_OF_TIME, newestFirst = false, limit = DEFAULT_PAGE } = {}) {
      if (!isEvid(evid)) return;
      const { pk, from, to } = visitRange(site, evid, Math.max(0, Math.min(upTo, END_OF_TIME)));
      let next: QueryCommandInput["ExclusiveStartKey"];
      do {
        const page = await dynamo.send(
          new QueryCommand({
            TableName: table,
            KeyConditionExpression: "pk = :pk AND sk BETWEEN :from AND :to",
            ExpressionAttributeValues: { ":pk": pk, ":from": from, ":to": to },
            ScanIndexForward: !newestFirst,
            Limit: limit,
            ConsistentRead: true,
            ...(next ? { ExclusiveStartKey: next } : {}),
          }),
        );
        if (page.Items?.length) yield page.Items.map(fromVisitItem);
        next = page.LastEvaluatedKey;
      } while (next);
    },

    findVisit: (site, { evid, ...key }) => get(visitKey(site, evid, key), fromVisitItem),

    findClick: (site, clickId) => get(clickKey(site, clickId), fromReferenceItem),
  };
}
