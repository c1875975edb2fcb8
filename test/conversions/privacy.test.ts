import fc from "fast-check";
import { createRelay } from "../../functions/relay/handler";
import { log } from "../../shared/lambda/log";
import { createConversionReader } from "../../shared/storage/conversion/conversions";
import { createOutbox } from "../../shared/storage/conversion/outbox";
import { type Engine, startEngine } from "../support/engine";
import { factLogOf, factsOn, itemsOf, startInbound } from "./support";

let engine: Engine;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** Letters no other text of the service holds. */
const mark = fc.string({ unit: fc.constantFrom("q", "x", "z", "Q"), minLength: 8, maxLength: 20 });
const contact = fc.record({
  email: mark.map((m) => `${m}@example.com`),
  phone: fc.bigInt({ min: 10n ** 14n, max: 10n ** 15n - 1n }).map((n) => `+${n}`),
  first_name: mark,
  last_name: mark,
});

test("no e-mail, phone or name is in facts, outbox, keys, bus or logs, whatever happens", async () => {
  const said: unknown[] = [];
  for (const level of ["debug", "info", "warn", "error"] as const) {
    jest.spyOn(log, level).mockImplementation((...args: unknown[]) => {
      said.push(args.map((arg) => JSON.stringify(arg, Object.getOwnPropertyNames(arg ?? {}))));
    });
  }
  const announced: unknown[] = [];
  const relay = createRelay({
    outbox: createOutbox(engine.dynamo, engine.tables.Deliveries),
    conversions: createConversionReader(engine.dynamo, engine.tables.Identity),
    facts: factLogOf(engine),
    bus: {
      async publish(events) {
        announced.push(...events);
        return events.map(() => true);
      },
    },
  });
  const inbound = startInbound(engine);
  const failing = startInbound(engine, { wakeRelay: () => Promise.reject(new Error("queue down")) });
  const token = await inbound.webhook("Purchase");
  const secret = token.slice(-43);
  const contacts: string[] = [];

  await fc.assert(
    fc.asyncProperty(contact, fc.integer({ min: 1 }), fc.boolean(), async (who, order, fails) => {
      contacts.push(...Object.values(who), who.email.toLowerCase());
      await (fails ? failing : inbound).post(token, {
        ...who,
        order_id: order,
        value: 1,
        note: who.email,
        products: [{ sku: who.email, name: `Ticket for ${who.phone}`, price: 1 }],
      });
    }),
    { numRuns: 50 },
  );
  const deliveries = await itemsOf(engine, "Deliveries");
  const outbox = deliveries.filter(({ pk }) => String(pk).startsWith("outbox#"));
  expect(outbox.length).toBeGreaterThan(0);
  const woken = inbound.woken.splice(0);
  await relay(woken.map((body, i) => ({ id: String(i), body, receiveCount: 1 })));

  expect(announced.length).toBe(woken.length);
  expect(said.length).toBeGreaterThan(0);
  const identity = await itemsOf(engine, "Identity");
  expect(JSON.stringify(identity)).toContain(contacts[0]); // The contact is where it belongs.
  const everythingElse = JSON.stringify([
    await factsOn(engine, 1),
    await itemsOf(engine, "Facts"),
    outbox,
    woken,
    announced,
    said,
    [...identity, ...deliveries].map(({ pk, sk }) => [pk, sk]),
  ]);
  expect(contacts.filter((text) => everythingElse.includes(text))).toEqual([]);
  expect(everythingElse).not.toContain(secret);
});
