import { PutCommand, type PutCommandInput } from "@aws-sdk/lib-dynamodb";
import type { JournalEntry, VisitJournal } from "../../ports/visitor-registry";
import { putAll } from "../batch";
import type { Item } from "../batch-get";
import { type Dynamo, isConditionFailure, isRefusal } from "../dynamo";
import { attachment } from "../identity/identity-writes";
import { settleAll } from "../settle";
import { chunks, retryPassing } from "../transact";
import { toReferenceItem, toVisitItem } from "./visitor-items";
import { clickKey, visitKey } from "./visitor-keys";

const WIDTH = 16;
/** What one BatchWriteItem writes at most. */
const MOST_PUTS = 25;

type VisitEntry = Extract<JournalEntry, { kind: "visit" }>;
type PointerEntry = Exclude<JournalEntry, { kind: "visit" }>;

/** Visits, click ids and e-mails in the Identity table. */
export function createVisitJournal(dynamo: Dynamo, table: string): VisitJournal {
  /** Writes unless the condition says that what is there holds. */
  async function put(input: PutCommandInput) {
    try {
      await retryPassing(() => dynamo.send(new PutCommand(input)));
    } catch (error) {
      if (!isConditionFailure(error)) throw error;
    }
  }

  function writePointer(entry: PointerEntry): Promise<void> {
    const { site, evid, visit } = entry;
    if (entry.kind === "click") {
      // The visit that carried a click id first keeps it: a bookmarked landing page does not take over the click.
      const Item = { ...clickKey(site, entry.clickId), ...toReferenceItem({ evid, ...visit }) };
      return put({ TableName: table, Item, ConditionExpression: "attribute_not_exists(pk)" });
    }
    return put(attachment(table, site, entry.email, { evid, ...visit }));
  }

  const visitItem = ({ site, evid, record }: VisitEntry): Item => ({
    ...visitKey(site, evid, record),
    ...toVisitItem(record),
  });

  type Settled = readonly PromiseSettledResult<void>[];

  /** All visits in one request; where it is refused for one of them, each by itself, so that the others are written. */
  async function writeVisits(visits: readonly VisitEntry[]): Promise<Settled> {
    try {
      await putAll(dynamo, table, visits.map(visitItem));
      return visits.map(() => ({ status: "fulfilled", value: undefined }));
    } catch (error) {
      if (!isRefusal(error)) return visits.map(() => ({ status: "rejected", reason: error }));
      return settleAll(visits, WIDTH, (visit) => putAll(dynamo, table, [visitItem(visit)]));
    }
  }

  return {
    async write(entries) {
      const visits = entries.filter((entry) => entry.kind === "visit");
      const groups: { entries: readonly JournalEntry[]; write: () => Promise<Settled> }[] = [
        ...chunks(visits, MOST_PUTS).map((some) => ({ entries: some, write: () => writeVisits(some) })),
        ...entries
          .filter((entry) => entry.kind !== "visit")
          .map((entry) => ({ entries: [entry], write: () => Promise.allSettled([writePointer(entry)]) })),
      ];
      const settled = await settleAll(groups, WIDTH, ({ write }) => write());
      const byEntry = new Map(
        groups.flatMap(({ entries: some }, i) => {
          const group = settled[i];
          const outcomes = group?.status === "fulfilled" ? group.value : [];
          return some.map((entry, j) => [entry, outcomes[j]] as const);
        }),
      );
      return entries.map((entry) => byEntry.get(entry) ?? { status: "rejected", reason: "not written" });
    },
  };
}
