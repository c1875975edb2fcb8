import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import { DeleteCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { mockClient } from "aws-sdk-client-mock";
import { createRelay } from "../../functions/relay/handler";
import { eventBridge } from "../../shared/adapters/event-bus";
import { MINUTE } from "../../shared/domain/instant";
import type { BusEvent, EventBus } from "../../shared/ports/event-bus";
import type { FactSink } from "../../shared/ports/facts";
import type { OutboxEntry } from "../../shared/ports/outbox";
import { eventKey } from "../../shared/storage/conversion/conversion-keys";
import { createConversionReader } from "../../shared/storage/conversion/conversions";
import { createOutbox, WAKE_UP_GRACE } from "../../shared/storage/conversion/outbox";
import { type Engine, startEngine } from "../support/engine";
import { factLogOf, factsOn, NOON, startInbound, visit, visitorsOf } from "./support";

let engine: Engine;
let site = 400;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
});

const outbox = () => createOutbox(engine.dynamo, engine.tables.Deliveries);

/** Records one conversion for each body and answers their outbox entries. */
async function recorded(...bodies: Record<string, unknown>[]): Promise<OutboxEntry[]> {
  const inbound = startInbound(engine, {
    visitors: visitorsOf({ "evid-1234": [visit("v", NOON - MINUTE, "google", "Paid Search")] }),
  });
  const token = await inbound.webhook("Purchase", site);
  for (const body of bodies) await inbound.post(token, body);
  return inbound.woken;
}

function relayTo(bus: EventBus, facts: FactSink = factLogOf(engine)) {
  const relay = createRelay({
    facts,
    outbox: outbox(),
    conversions: createConversionReader(engine.dynamo, engine.tables.Identity),
    bus,
  });
  return (...bodies: unknown[]) => relay(bodies.map((body, i) => ({ id: `m${i}`, body, receiveCount: 1 })));
}

function recordingBus(takes: (event: BusEvent) => boolean = () => true) {
  const published: BusEvent[] = [];
  const bus: EventBus = {
    async publish(events) {
      published.push(...events.filter(takes));
      return events.map(takes);
    },
  };
  return { bus, published };
}

test("a recorded conversion is announced with its credit, and its outbox entry goes", async () => {
  const [entry] = await recorded({ evid: "evid-1234", email: "ann@example.com", value: 49.9, order_id: "1" });
  const { bus, published } = recordingBus();
  expect(await relayTo(bus)(entry)).toEqual([]);
  expect(published).toEqual([
    {
      type: "conversion.recorded",
      at: NOON,
      detail: {
        site_id: site,
        event_id: entry?.event,
        event_version: 1,
        event_type: "Purchase",
        event_name: "Purchase",
        event_time: "2026-07-09T12:00:00.000Z",
        value: 49.9,
        currency: "USD",
        event_source: "webhook",
        matched_by: "visitor_id",
        source: "google",
        channel: "Paid Search",
      },
    },
  ]);
  expect(await outbox().holds(entry as OutboxEntry)).toBe(false);
});

test("the visit a conversion took place in is noted as no bounce, however often it is told", async () => {
  const [entry] = await recorded({ evid: "evid-1234" });
  const failing: EventBus = { publish: () => Promise.reject(new Error("down")) };
  const { bus } = recordingBus();
  await expect(relayTo(failing)(entry)).rejects.toThrow("down");
  expect(await relayTo(bus)(entry)).toEqual([]);
  const { engagements } = await factsOn(engine, site);
  // Written twice here; facts with the same key fold into one.
  expect([...new Map(engagements.map((fact) => [fact.visit, fact])).values()]).toEqual([
    { kind: "engagement", at: NOON - MINUTE, visit: "v" },
  ]);
});

test("when the facts cannot be written nothing is announced and the entry stays", async () => {
  const [entry] = (await recorded({ evid: "evid-1234" })) as [OutboxEntry];
  const { bus, published } = recordingBus();
  const broken: FactSink = { append: () => Promise.reject(new Error("throttled")) };
  await expect(relayTo(bus, broken)(entry)).rejects.toThrow("throttled");
  expect(published).toEqual([]);
  expect(await outbox().holds(entry)).toBe(true);
});

test("an event that cannot be read does not hold up its neighbours", async () => {
  const [bad, good] = (await recorded({ phone: "1" }, { phone: "2" })) as [OutboxEntry, OutboxEntry];
  await engine.dynamo.send(
    new PutCommand({
      TableName: engine.tables.Identity,
      Item: { ...eventKey(bad.site, bad.event), type: "nonsense" },
    }),
  );
  const { bus, published } = recordingBus();
  expect(await relayTo(bus)(bad, good)).toEqual(["m0"]);
  expect(published.map(({ detail }) => detail.event_id)).toEqual([good.event]);
});

test("a wake-up that comes again, now or later, announces nothing more", async () => {
  const [entry] = await recorded({ phone: "1" });
  const { bus, published } = recordingBus();
  const relay = relayTo(bus);
  await relay(entry);
  expect(await relay(entry, entry)).toEqual([]);
  expect(published).toHaveLength(1);
});

test("what the bus refuses stays in the outbox and is tried again; the rest of the batch is done", async () => {
  const [one, two] = (await recorded({ phone: "1" }, { phone: "2" })) as [OutboxEntry, OutboxEntry];
  const { bus, published } = recordingBus((event) => event.detail.event_id === two.event);
  expect(await relayTo(bus)(one, two)).toEqual(["m0"]);
  expect(published).toHaveLength(1);
  expect(await outbox().holds(one)).toBe(true);
  expect(await outbox().holds(two)).toBe(false);
});

test("when the bus cannot be reached every message is tried again and nothing is lost", async () => {
  const [entry] = (await recorded({ phone: "1" })) as [OutboxEntry];
  const down: EventBus = { publish: () => Promise.reject(new Error("down")) };
  await expect(relayTo(down)(entry)).rejects.toThrow("down");
  expect(await outbox().holds(entry)).toBe(true);
});

test("a message that is no outbox entry is dropped, not tried for ever", async () => {
  const { bus, published } = recordingBus();
  const bad = [undefined, null, 5, {}, { site: "1", event: "evt_1" }, { site: 1, event: "x" }];
  expect(await relayTo(bus)(...bad)).toEqual([]);
  expect(published).toEqual([]);
});

test("an entry whose event was deleted is removed unannounced", async () => {
  const [entry] = (await recorded({ phone: "1" })) as [OutboxEntry];
  await engine.dynamo.send(
    new DeleteCommand({ TableName: engine.tables.Identity, Key: eventKey(entry.site, entry.event) }),
  );
  const { bus, published } = recordingBus();
  expect(await relayTo(bus)(entry)).toEqual([]);
  expect(published).toEqual([]);
  expect(await outbox().holds(entry)).toBe(false);
});

test("the sweeper finds entries whose wake-up was lost, a minute later, spread over the shards", async () => {
  const entries = await recorded(...Array.from({ length: 40 }, (_, i) => ({ phone: String(i) })));
  const due = async (now: number) => (await outbox().due(now, 100)).filter((entry) => entry.site === site);
  expect(await due(NOON + WAKE_UP_GRACE - 1)).toEqual([]);
  const found = await due(NOON + WAKE_UP_GRACE);
  expect(found.map(({ event }) => event).sort()).toEqual(entries.map(({ event }) => event).sort());
  await Promise.all(entries.map((entry) => outbox().remove(entry)));
  expect(await due(NOON + WAKE_UP_GRACE)).toEqual([]);
});

describe("the EventBridge bus", () => {
  const event = (n: number): BusEvent => ({
    type: "conversion.recorded",
    at: NOON,
    detail: {
      site_id: 1,
      event_id: `evt_${n}`,
      event_version: 1,
      event_type: "Lead",
      event_name: "Lead",
      event_time: "",
      value: null,
      currency: "USD",
      event_source: "webhook",
      matched_by: null,
      source: "(none)",
      channel: "Unattributed",
    },
  });

  test("sends ten at a time and tells which were taken", async () => {
    const client = mockClient(EventBridgeClient);
    client.on(PutEventsCommand).callsFake(({ Entries }) => ({
      Entries: Entries.map(({ Detail }: { Detail: string }) =>
        Detail.includes("evt_11") ? { ErrorCode: "ThrottlingException" } : { EventId: "1" },
      ),
    }));
    const taken = await eventBridge(new EventBridgeClient({ region: "eu-west-1" }), "bus").publish(
      Array.from({ length: 12 }, (_, n) => event(n)),
    );
    expect(taken).toEqual([...Array.from({ length: 11 }, () => true), false]);
    const calls = client.commandCalls(PutEventsCommand).map(({ args }) => args[0].input.Entries ?? []);
    expect(calls.map((entries) => entries.length)).toEqual([10, 2]);
    expect(calls[0]?.[0]).toEqual({
      EventBusName: "bus",
      Source: "attribution-analytics",
      DetailType: "conversion.recorded",
      Time: new Date(NOON),
      Detail: JSON.stringify(event(0).detail),
    });
  });
});
