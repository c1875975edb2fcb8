import { randomBytes } from "node:crypto";
import { trafficWriter } from "../../functions/traffic/handler";
import { createEventRecorder } from "../../functions/traffic/tracked-events";
import type { ConversionFact } from "../../shared/domain/analytics/fact";
import { acceptHits } from "../../shared/domain/tracking/accept";
import { readEnvelope } from "../../shared/domain/tracking/beacon";
import type { TrafficHit } from "../../shared/domain/tracking/message";
import { recorderOver } from "../../shared/lambda/conversion-recorder";
import { createFactLog, createFactReader } from "../../shared/storage/analytics/facts";
import { createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
import { type Engine, startEngine } from "../support/engine";
import { beacon, beaconHit, NOW, queued, SITE, sitesOf, trafficHit, trafficMessage } from "./builders";

let engine: Engine;
let newestSite = 500;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const SIGN_UP = {
  kind: "event",
  name: "Sign-up",
  properties: { plan: "team", value: 12.5 },
} as Partial<TrafficHit>;

function newSite() {
  const { dynamo, tables } = engine;
  const site = { ...SITE, id: ++newestSite };
  const facts = createFactLog({ dynamo, table: tables.Facts, clock: () => NOW, random: randomBytes });
  const record = recorderOver({
    dynamo,
    facts,
    tables: { identity: tables.Identity, deliveries: tables.Deliveries },
    random: randomBytes,
    linkLookupMs: 0,
    wakeRelay: async () => {},
    wakeLinks: async () => {},
  });
  const writer = (recordEvents = createEventRecorder(record)) =>
    trafficWriter({
      people: createPeopleRegistry(dynamo, tables.Identity, randomBytes),
      wakeLinks: async () => {},
      sites: sitesOf(site),
      registry: createVisitorRegistry(dynamo, tables.Identity, createVisitorNumbers(dynamo, tables.Identity)),
      journal: createVisitJournal(dynamo, tables.Identity),
      facts,
      recordEvents,
    });
  const conversions = async (): Promise<ConversionFact[]> => {
    const day = Math.floor(NOW / 86_400_000) * 86_400_000;
    const quarters = await createFactReader(dynamo, tables.Facts).read(site.id, day, day + 86_400_000);
    return [...quarters.values()].flat().filter((fact) => fact.kind === "conversion");
  };
  const message = (evid: string, ...hits: TrafficHit[]) => trafficMessage(evid, hits, site.id);
  return { writer, conversions, message };
}

describe("an event that a page tracked", () => {
  test("is recorded as a custom conversion, credited to the visit's ad", async () => {
    const { writer, conversions, message } = newSite();
    const visit = trafficHit("visit-a");
    const event = trafficHit("visit-a", { ...SIGN_UP, first: false, at: NOW + 1 });
    expect(await writer()(queued(message("evid-0001", visit, event)))).toEqual([]);
    expect(await conversions()).toEqual([
      expect.objectContaining({
        type: "Custom",
        name: "Sign-up",
        at: NOW + 1,
        value: 12_500,
        visitor: 1,
        source: "google",
        channel: "Paid Search",
      }),
    ]);
  });

  test("is recorded once, however often its message comes, also at once", async () => {
    const { writer, conversions, message } = newSite();
    const event = trafficHit("visit-a", SIGN_UP);
    await Promise.all(Array.from({ length: 10 }, () => writer()(queued(message("evid-0001", event)))));
    expect(await conversions()).toHaveLength(1);
  });

  test("counts each time it happens", async () => {
    const { writer, conversions, message } = newSite();
    const events = [0, 1, 2].map((ms) => trafficHit("visit-a", { ...SIGN_UP, at: NOW + ms }));
    await writer()(queued(message("evid-0001", ...events)));
    expect(await conversions()).toHaveLength(3);
  });

  test("brings its message back when it could not be recorded, and only that message", async () => {
    const { writer, message } = newSite();
    const failing = writer(async () => {
      throw new Error("throttled");
    });
    const [event, view] = [
      message("evid-0001", trafficHit("a", SIGN_UP)),
      message("evid-0002", trafficHit("b")),
    ];
    const messages = [...queued(event), ...queued(view).map((one) => ({ ...one, id: "view" }))];
    expect(await failing(messages)).toEqual([messages[0]?.id]);
  });
});

test.each(["Purchase", "Lead", "Schedule", "lead ", "Custom", "", "  "])(
  "a page may not report a standard event, nor a nameless one: %j",
  (name) => {
    const envelope = readEnvelope(
      Buffer.from(JSON.stringify(beacon({ hits: [beaconHit({ kind: "event", name })] }))),
    );
    if (!envelope) throw new Error("not a beacon");
    expect(acceptHits(envelope, NOW)).toEqual({ hits: [], rejected: 1 });
  },
);
