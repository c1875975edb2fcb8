import { PutCommand, type TransactWriteCommandOutput } from "@aws-sdk/lib-dynamodb";
import { MINUTE } from "../../shared/domain/instant";
import { toVisitItem, toVisitorItem } from "../../shared/storage/tracking/visitor-items";
import { visitKey, visitorKey } from "../../shared/storage/tracking/visitor-keys";
import { createVisitorReader } from "../../shared/storage/tracking/visitor-reader";
import { type Engine, startEngine } from "../support/engine";
import { clientOf, NOON, startInbound, visit } from "./support";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const EVID = "evid-of-ann-1234567890";

/** Notes every call of the client, and which of them were under way together: a step is one sequential round trip. */
function stepsOf(dynamo: ReturnType<typeof clientOf>) {
  const steps: string[][] = [];
  let underWay = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (underWay++ === 0) steps.push([]);
      steps.at(-1)?.push(String(context.commandName).replace("Command", ""));
      try {
        return await next(args);
      } finally {
        underWay--;
      }
    },
    { step: "initialize" },
  );
  return steps;
}

async function seeded(site: number) {
  const visits = [
    visit("visit-1", NOON - 60 * MINUTE, "google", "Paid Search"),
    visit("visit-2", NOON - MINUTE, "(direct)", "Direct"),
  ];
  const { Identity } = engine.tables;
  const visitor = { evid: EVID, number: 7, firstVisit: { visit: "visit-1", at: NOON - 60 * MINUTE } };
  const items = [
    { ...visitorKey(site, EVID), ...toVisitorItem(visitor) },
    ...visits.map((record) => ({ ...visitKey(site, EVID, record), ...toVisitItem(record) })),
  ];
  await Promise.all(items.map((Item) => engine.dynamo.send(new PutCommand({ TableName: Identity, Item }))));
}

/** A warm function before its own webhook, and how to post to it. */
async function warm(dynamo: ReturnType<typeof clientOf>, site: number) {
  await seeded(site);
  let wakeUps = 0;
  const inbound = startInbound(engine, {
    dynamo,
    visitors: createVisitorReader(dynamo, engine.tables.Identity),
    wakeRelay: async () => {
      wakeUps++;
    },
  });
  const token = await inbound.webhook("Purchase", site);
  let order = 0;
  return async () => {
    wakeUps = 0;
    const { body } = await inbound.post(token, {
      evid: EVID,
      email: "ann@example.com",
      phone: "+49 30 123456",
      first_name: "Ann",
      last_name: "Lee",
      order_id: ++order,
      value: 49.9,
      products: [{ sku: "S1", name: "Shirt", quantity: 2, price: 24.95 }],
    });
    expect(body).toMatchObject({ outcome: "accepted", matched_by: "visitor_id" });
    return wakeUps;
  };
}

test("an accepted receipt takes at most 5 sequential round trips, 4 once its instance is warm", async () => {
  const dynamo = clientOf(engine);
  const post = await warm(dynamo, 500);
  const steps = stepsOf(dynamo);
  expect((await post()) + steps.length).toBe(5);
  steps.length = 0;
  expect((await post()) + steps.length).toBe(4);
  expect(steps.map((step) => step.toSorted())).toEqual([
    ["GetItem"],
    ["GetItem", "Query", "Query"],
    ["TransactWriteItems"],
  ]);
  dynamo.destroy();
});

test("an accepted receipt with claim and credit costs at most 12 write units", async () => {
  const dynamo = clientOf(engine);
  const post = await warm(dynamo, 501);
  await post();
  const spent: Record<string, number> = {};
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (context.commandName !== "TransactWriteItemsCommand") return next(args);
      const result = await next({ ...args, input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } });
      for (const consumed of (result.output as TransactWriteCommandOutput).ConsumedCapacity ?? []) {
        spent[String(consumed.TableName)] = consumed.CapacityUnits ?? Number.NaN;
      }
      return result;
    },
    { step: "initialize" },
  );
  await post();
  // Event 2, claim 2; fact 2; receipt 2; outbox 2 and its index 1 (engines differ in how they count the index).
  expect(Object.keys(spent).sort()).toEqual(["Deliveries", "Facts", "Identity"]);
  expect(Object.values(spent).reduce((sum, units) => sum + units, 0)).toBeLessThanOrEqual(12);
  dynamo.destroy();
});
