import { createSettleLink, type SettlingDependencies } from "../../shared/application/settle-link";
import { HOUR } from "../../shared/domain/instant";
import { createOutbox } from "../../shared/storage/conversion/outbox";
import { clientOf, itemsOf, NOON } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { revenueOf, startShop } from "./support";

let engine: Engine;
let site = 9_000;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
});

const ANN = { evid: "ann-laptop-1", at: NOON - HOUR, ad: "google" } as const;
const SALE = { email: "ann@work.example", existing_email: "ann@home.example" };

test("a look-up whose event is not to be seen is put off, not removed: its transaction may be under way", async () => {
  const done: string[] = [];
  const never = () => Promise.reject(new Error("not asked for"));
  const settle = createSettleLink({
    conversions: { find: async () => null },
    identify: never,
    links: {
      due: never,
      postpone: async (_, until) => void done.push(`postponed by ${until - NOON}`),
      remove: async () => void done.push("removed"),
    },
    log: { settle: never },
    clock: () => NOON,
    random: (length) => Buffer.alloc(length),
    wakeRelay: never,
  } satisfies SettlingDependencies);
  await settle({ site: 1, event: "evt_x" });
  expect(done).toEqual([`postponed by ${HOUR / 4}`]);
});

test("a move whose answer was lost is done once, however often it is tried again", async () => {
  const shop = startShop(engine, site, { clientOf });
  await shop.visit(ANN);
  const sale = await shop.sale(SALE);
  await shop.identify(ANN, { email: SALE.existing_email });
  const dying = startShop(engine, site, { clientOf: losingAnswers });
  await expect(dying.settle({ site, event: sale.event_id })).rejects.toThrow("answer lost");
  await shop.settle({ site, event: sale.event_id });
  expect(await shop.event(sale.event_id)).toMatchObject({ version: 2, link: { status: "linked" } });
  expect(await revenueOf(shop, site)).toEqual({ google: 10 });
  // Nobody was woken for the move, but the outbox holds it.
  const [entry] = await createOutbox(engine.dynamo, engine.tables.Deliveries)
    .due(NOON + HOUR, 1_000)
    .then((due) => due.filter((one) => one.site === site && one.version === 2));
  expect(entry).toEqual({ site, event: sale.event_id, version: 2 });
});

test("who has announced the recording removes nothing of a move that came meanwhile", async () => {
  const shop = startShop(engine, site);
  await shop.visit(ANN);
  const { event_id: event } = await shop.sale(SALE);
  await shop.identify(ANN, { email: SALE.existing_email });
  await shop.settle({ site, event });
  const outbox = createOutbox(engine.dynamo, engine.tables.Deliveries);
  await outbox.remove({ site, event, version: 1 });
  expect(await outbox.holds({ site, event, version: 2 })).toBe(true);
  await shop.relayAll();
  expect(shop.published.map(({ type }) => type)).toEqual(["conversion.moved"]);
  expect(await outbox.holds({ site, event, version: 2 })).toBe(false);
});

test("a crash after a pending sale was recorded leaves all that its look-up needs", async () => {
  const shop = startShop(engine, site, { clientOf: losingAnswers });
  await expect(shop.sale(SALE)).rejects.toThrow("answered 500");
  const well = startShop(engine, site);
  await well.visit(ANN);
  const retry = await well.sale(SALE);
  expect(retry).toMatchObject({ outcome: "deduped", link: { status: "pending" } });
  await well.identify(ANN, { email: SALE.existing_email });
  await well.minute();
  expect(await well.event(retry.event_id)).toMatchObject({ link: { status: "linked" } });
  expect(await revenueOf(well, site)).toEqual({ google: 10 });
  const left = (await itemsOf(engine, "Deliveries")).filter(({ pk }) =>
    String(pk).startsWith(`link#${site}#`),
  );
  expect(left).toEqual([]);
});

test("no e-mail is in a key, in a queue message or in a fact, and in the Deliveries table only in what receipts show", async () => {
  const shop = startShop(engine, site);
  await shop.sale(SALE);
  await shop.identify(ANN, { email: SALE.existing_email, first_name: "Zebulon" });
  const woken = JSON.stringify([shop.inbound.lookUps, shop.inbound.woken]);
  await shop.lookUp();
  const keys = (await itemsOf(engine, "Identity")).map(({ pk, sk }) => `${pk} ${sk}`);
  const deliveries = await itemsOf(engine, "Deliveries");
  const all = JSON.stringify([
    keys,
    woken,
    deliveries.map(({ preview: _, ...rest }) => rest),
    await itemsOf(engine, "Facts"),
  ]);
  expect(all).not.toMatch(/ann@|@home|@work|zebulon/i);
});

/** A client whose transactions take effect, but whose answers never come. */
function losingAnswers(engine: Engine) {
  const dynamo = clientOf(engine);
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (context.commandName === "TransactWriteItemsCommand") throw new Error("answer lost");
      return result;
    },
    { step: "initialize" },
  );
  return dynamo;
}
