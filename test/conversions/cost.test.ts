import type { TransactWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { MINUTE } from "../../shared/domain/instant";
import type { Dynamo } from "../../shared/storage/dynamo";
import { startShop } from "../identity/support";
import { type Engine, startEngine } from "../support/engine";
import { countRounds } from "../tracking/rounds";
import { clientOf, NOON, startInbound } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const EVID = "evid-of-ann-1234567890";
const SALE = {
  email: "ann@example.com",
  phone: "+49 30 123456",
  first_name: "Ann",
  last_name: "Lee",
  value: 49.9,
  products: [{ sku: "S1", name: "Shirt", quantity: 2, price: 24.95 }],
};

const CASES = [
  { who: "the visitor by its id", clues: { evid: EVID }, trips: 4, by: "visitor_id" },
  { who: "by e-mail alone", clues: { email: "lee@example.com" }, trips: 5, by: "email" },
  {
    who: "by the second of two click ids",
    clues: { gclid: "ad-click", fbclid: "unknown", evid: "no-such-visitor" },
    trips: 5,
    by: "click_id",
  },
  {
    who: "by the e-mail of the person linked to, all other clues leading nowhere",
    clues: {
      evid: "no-such-visitor",
      fbclid: "unknown",
      email: "paid@gmial.com",
      existing_email: "lee@example.com",
    },
    trips: 5,
    by: "email",
  },
  { who: "nobody, the link pending", clues: { existing_email: "who@example.com" }, trips: 4, by: null },
];

/** A visitor who came by an ad and said who they are. */
async function known(site: number) {
  const shop = startShop(engine, site);
  const visit = { evid: EVID, at: NOON - 60 * MINUTE, ad: "google", clickId: "ad-click" } as const;
  await shop.visit(visit);
  await shop.identify(visit, { email: "lee@example.com" });
}

async function inboundOn(dynamo: Dynamo, site: number) {
  let wakeUps = 0;
  const inbound = startInbound(engine, {
    dynamo,
    wakeRelay: async () => {
      wakeUps++;
    },
  });
  const token = await inbound.webhook("Purchase", site);
  let order = 0;
  return async (clues: Record<string, unknown>) => {
    wakeUps = 0;
    const { body } = await inbound.post(token, { ...SALE, order_id: ++order, ...clues });
    expect(body.outcome).toBe("accepted");
    return { body, wakeUps };
  };
}

describe("sequential round trips of an accepted receipt: webhook, matching, transaction, wake-up", () => {
  test.each(CASES)("$who: $trips, also of an instance just started", async ({ clues, trips, by }) => {
    const site = 500 + CASES.findIndex((one) => one.clues === clues);
    await known(site);
    const { dynamo, rounds } = countRounds(engine.dynamo);
    const post = await inboundOn(dynamo, site);
    for (const _ of ["just started", "warm"]) {
      rounds();
      const { body, wakeUps } = await post(clues);
      expect(body.matched_by).toBe(by);
      expect(rounds() + wakeUps).toBe(trips);
      if (clues.email) break; // Their e-mail is linked from here on.
    }
  });
});

describe("write units of an accepted receipt, by item", () => {
  const BASE = { event: 2, claim: 2, fact: 2, outbox: 2, receipt: 2 };
  test.each([
    ["a customer who is known, and so is this visit", 2, { evid: EVID }, BASE],
    ["a new customer with a visit", 1, { evid: EVID }, { ...BASE, person: 2, visitor: 2 }],
    [
      "a sale linked to somebody",
      1,
      { existing_email: "lee@example.com" },
      { ...BASE, person: 2, second: 2, "~second": 2 },
    ],
    [
      "a sale whose link is pending",
      1,
      { existing_email: "who@example.com" },
      { ...BASE, person: 2, waiting: 2, link: 2 },
    ],
  ])("%s", async (_, times, clues, units) => {
    const site = 600 + newSite++;
    await known(site);
    const dynamo = clientOf(engine);
    const spent = spending(dynamo);
    const post = await inboundOn(dynamo, site);
    for (let i = 0; i < times; i++) await post(clues);
    const { items, tables } = spent();
    expect(items).toEqual(units);
    // What the engine says; the items of the due index come on top, and engines differ in how they count those.
    const sum = Object.values(units).reduce((total, one) => total + one, 0);
    expect(tables).toBeGreaterThanOrEqual(sum);
    expect(tables).toBeLessThanOrEqual(sum + 2);
    dynamo.destroy();
  });
  let newSite = 0;
});

type Attributes = Record<string, Record<string, unknown>>;
type Write = { TableName: string; Key?: Attributes; Item?: Attributes };

/** What the last transaction through `dynamo` cost: as its items say (2 units per KB), and as the engine counted. */
function spending(dynamo: Dynamo) {
  let items: Record<string, number> = {};
  let tables = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== "TransactWriteItemsCommand") return next(args);
      const { TransactItems } = args.input as { TransactItems: Record<string, Write>[] };
      const writes = TransactItems.flatMap((item) => Object.values(item));
      items = Object.fromEntries(writes.map((write) => [nameOf(write), unitsOf(write)]));
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } });
      const { ConsumedCapacity = [] } = result.output as TransactWriteCommandOutput;
      tables = ConsumedCapacity.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
      return result;
    },
    { step: "initialize" },
  );
  return () => ({ items, tables });
}

/** By the beginning of its sort key; facts have the quarter there. */
function nameOf({ TableName, Key, Item }: Write): string {
  const sk = String((Item ?? Key)?.sk);
  if (sk.startsWith("rct_")) return "receipt";
  return TableName === "Facts" ? "fact" : (sk.split("#")[0] ?? "");
}

const unitsOf = (write: Write): number =>
  2 * Math.ceil(Buffer.byteLength(JSON.stringify(write.Item ?? write)) / 1_024);
