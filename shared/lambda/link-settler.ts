import { createIdentify } from "../application/identification";
import { byEmail, firstMatch } from "../application/matching";
import { createSettleLink, type SettleLink, type SettlingDependencies } from "../application/settle-link";
import type { FactLog } from "../storage/analytics/facts";
import { createConversionReader } from "../storage/conversion/conversions";
import type { Dynamo } from "../storage/dynamo";
import { createLinkLog, type ReceiptLink } from "../storage/identity/link-log";
import { createPendingLinks, type LinkTables } from "../storage/identity/pending-links";
import { createPeopleReader } from "../storage/identity/people";
import { createVisitorReader } from "../storage/tracking/visitor-reader";

/** What the settling of links stands on. */
export interface SettlerGround extends Pick<SettlingDependencies, "clock" | "random" | "wakeRelay"> {
  readonly dynamo: Dynamo;
  readonly facts: FactLog;
  readonly tables: LinkTables;
  readonly receiptLink: ReceiptLink;
}

/** The settling of pending links, over the tables. */
export function settlerOver({ dynamo, facts, tables, receiptLink, ...ground }: SettlerGround): SettleLink {
  return createSettleLink({
    ...ground,
    conversions: createConversionReader(dynamo, tables.identity),
    identify: createIdentify({
      people: createPeopleReader(dynamo, tables.identity),
      match: firstMatch([byEmail(createVisitorReader(dynamo, tables.identity))]),
    }),
    links: createPendingLinks(dynamo, tables.deliveries),
    log: createLinkLog({ dynamo, tables, facts, receiptLink, clock: ground.clock }),
  });
}
