import { MAX_BODY_BYTES } from "../../shared/domain/conversion/payload/body";
import { parseToken } from "../../shared/domain/conversion/receiving-webhook";
import { DAY } from "../../shared/domain/instant";
import { type Receipt, receiptIdOf, SHOWN } from "../../shared/domain/receipts/receipt";
import { createReceiptLog, receiptLink } from "../../shared/storage/conversion/receipts";
import { transact } from "../../shared/storage/transact";
import { clientOf, factsOn, type Inbound, itemsOf, NOON, startInbound } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";

let engine: Engine;
let inbound: Inbound;
let site = 700;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  inbound = startInbound(engine);
});

const idOf = (token: string): string => parseToken(token)?.id ?? "";
const receiptsOf = (token: string): Promise<readonly Receipt[]> =>
  createReceiptLog(engine.dynamo, engine.tables.Deliveries).latest(site, idOf(token));

const SALE = { email: "ann@example.com", order_id: "1", value: 5, password: "s3cr3t" };

test("every outcome but 404 is logged, newest first, with what came and what it became", async () => {
  const token = await inbound.webhook("Purchase", site);
  const bodies = [SALE, SALE, "{}", "{broken", "x".repeat(MAX_BODY_BYTES + 1)];
  const answers = [];
  for (const body of bodies) {
    inbound.now += 1;
    answers.push((await inbound.post(token, body)).body);
  }
  await inbound.post(`${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`, SALE);
  const receipts = await receiptsOf(token);
  expect(receipts.map(({ outcome }) => outcome).reverse()).toEqual([
    ...["accepted", "deduped", "ignored", "parse error", "oversized"],
  ]);
  expect(receipts.map(({ outcome }) => outcome).reverse()).toEqual(answers.map(({ outcome }) => outcome));
  const event = answers[0]?.event_id;
  const sale = '{"email":"ann@example.com","order_id":"1","value":5,"password":"[hidden]"}';
  const common = { site, webhook: idOf(token), matchedBy: null, link: null };
  expect(receipts.toReversed()).toMatchObject([
    { ...common, at: NOON + 1, id: receiptIdOf(String(event)), event, preview: sale },
    { ...common, at: NOON + 2, id: expect.stringMatching(/^rct_[0-9a-z]{26}$/), event, preview: sale },
    { ...common, at: NOON + 3, event: null, preview: "{}" },
    { ...common, at: NOON + 4, event: null, preview: "{broken" },
    { ...common, at: NOON + 5, event: null, preview: expect.stringMatching(/^x{1500,2045}…$/) },
  ]);
});

test("receipts go after 30 days, and each webhook has its own", async () => {
  const [one, other] = [await inbound.webhook("Lead", site), await inbound.webhook("Lead", site)];
  await inbound.post(one, { email: "a@b.example" });
  await inbound.post(one, "");
  expect(await receiptsOf(other)).toEqual([]);
  const items = (await itemsOf(engine, "Deliveries")).filter(({ pk }) => String(pk).includes(idOf(one)));
  expect(items.map(({ ttl }) => ttl)).toEqual([(NOON + 30 * DAY) / 1_000, (NOON + 30 * DAY) / 1_000]);
});

test("under a flood the last 25 are shown, and reading them stays one small query", async () => {
  const token = await inbound.webhook("Lead", site);
  const note = "x".repeat(100);
  for (let i = 0; i < 60; i++) {
    inbound.now += 1;
    await inbound.post(token, { number: i, a: note.repeat(20), b: note.repeat(20), c: Array(50).fill(note) });
  }
  const dynamo = clientOf(engine);
  let calls = 0;
  dynamo.middlewareStack.add(
    (next) => (args) => {
      calls++;
      return next(args);
    },
    { step: "initialize" },
  );
  const receipts = await createReceiptLog(dynamo, engine.tables.Deliveries).latest(site, idOf(token));
  dynamo.destroy();
  expect([receipts.length, calls]).toEqual([SHOWN, 1]);
  expect(receipts.map(({ at }) => at)).toEqual(Array.from({ length: SHOWN }, (_, i) => NOON + 60 - i));
});

test("fifty identical posts at once leave one accepted receipt and 49 deduped ones, all naming one event", async () => {
  const token = await inbound.webhook("Lead", site);
  await Promise.all(Array.from({ length: 50 }, () => inbound.post(token, { email: "ann@example.com" })));
  const items = (await itemsOf(engine, "Deliveries")).filter(({ pk }) => String(pk).includes(idOf(token)));
  const outcomes = items.map(({ outcome }) => outcome);
  expect(outcomes.filter((outcome) => outcome === "accepted")).toHaveLength(1);
  expect(outcomes.filter((outcome) => outcome === "deduped")).toHaveLength(49);
  expect(new Set(items.map(({ event }) => event)).size).toBe(1);
}, 60_000);

describe("when the log cannot be written", () => {
  const broken = () => {
    const dynamo = clientOf(engine);
    dynamo.middlewareStack.add(
      (next) => (args) => {
        const { TableName, TransactItems = [] } = args.input as {
          TableName?: string;
          TransactItems?: { Put?: { TableName?: string } }[];
        };
        const tables = [TableName, ...TransactItems.map((item) => item.Put?.TableName)];
        if (tables.includes(engine.tables.Deliveries)) throw new Error("table gone");
        return next(args);
      },
      { step: "initialize" },
    );
    return dynamo;
  };

  test("nothing is half recorded, and nobody is told that all is well: the tool tries again", async () => {
    const token = await inbound.webhook("Lead", site);
    await inbound.post(token, { email: "ann@example.com" });
    const dynamo = broken();
    const failing = startInbound(engine, { dynamo });
    for (const body of [{ email: "ann@example.com" }, { email: "other@example.com" }, "{}", "{broken"]) {
      expect(await failing.post(token, body)).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
    }
    dynamo.destroy();
    expect((await factsOn(engine, site)).conversions).toHaveLength(1);
    expect((await inbound.post(token, { email: "other@example.com" })).body.outcome).toBe("accepted");
    expect((await receiptsOf(token)).map(({ outcome }) => outcome)).toEqual(["accepted", "accepted"]);
  });
});

test("the link of an existing e-mail is told on the receipt of its event, and never makes one up", async () => {
  const token = await inbound.webhook("Purchase", site);
  const { body } = await inbound.post(token, SALE);
  const { Deliveries } = engine.tables;
  const link = (id: string, status: "pending" | "not_found") =>
    transact(engine.dynamo, [receiptLink(Deliveries, site, idOf(token), id, status)]);
  await link(receiptIdOf(String(body.event_id)), "pending");
  await link(receiptIdOf(String(body.event_id)), "not_found");
  await link(`rct_${"0".repeat(26)}`, "not_found");
  expect(await receiptsOf(token)).toMatchObject([{ outcome: "accepted", link: "not_found" }]);
});
