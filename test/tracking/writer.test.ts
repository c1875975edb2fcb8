import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { trafficWriter } from "../../functions/traffic/handler";
import { trafficMessageSchema } from "../../shared/domain/tracking/message";
import type { FactSink } from "../../shared/ports/facts";
import type { Dynamo } from "../../shared/storage/dynamo";
import { createPeopleReader, createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorReader } from "../../shared/storage/tracking/visitor-reader";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
import { type Engine, startEngine } from "../support/engine";
import { NOW, nextPage, queued, SITE, sitesOf, trafficHit, trafficMessage } from "./builders";
import { type Recorder, recordFacts, unique } from "./fact-recorder";

let engine: Engine;
let newestSite = 100;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** A site of its own for each test, and as many writers on it as wanted, each with an instance's own memory. */
function newSite() {
  const site = { ...SITE, id: ++newestSite };
  const recorder: Recorder = recordFacts();
  const reader = createVisitorReader(engine.dynamo, engine.tables.Identity);
  const writer = (facts: FactSink = recorder, dynamo: Dynamo = engine.dynamo) => {
    const table = engine.tables.Identity;
    return trafficWriter({
      people: createPeopleRegistry(dynamo, table, randomBytes),
      wakeLinks: async () => {},
      sites: sitesOf(site, SITE),
      recordEvents: async () => {},
      registry: createVisitorRegistry(dynamo, table, createVisitorNumbers(dynamo, table)),
      journal: createVisitJournal(dynamo, table),
      facts,
    });
  };
  const message = (evid: string, ...hits: Parameters<typeof trafficMessage>[1]) =>
    trafficMessage(evid, hits, site.id);
  const visits = async (evid: string, range = {}) =>
    (await pagesOf(reader.visitsOf(site.id, evid, range))).flat();
  return { site, recorder, reader, writer, message, visits };
}

describe("a visit by an ad", () => {
  test("becomes a numbered visitor, a visit with its touch, a click id and facts", async () => {
    const { site, recorder, reader, writer, message, visits } = newSite();
    const first = trafficHit("visit-a");
    expect(await writer()(queued(message("evid-0001", first, nextPage(first, 1))))).toEqual([]);

    expect(await reader.findVisitor(site.id, "evid-0001")).toEqual({
      evid: "evid-0001",
      number: 1,
      firstVisit: { visit: "visit-a", at: NOW },
    });
    expect(await visits("evid-0001")).toEqual([
      {
        visit: "visit-a",
        at: NOW,
        source: "google",
        channel: "Paid Search",
        rule: "paid-search",
        rulesVersion: 1,
        path: "/",
        touch: {
          utm: { source: "google", medium: "cpc", campaign: null, term: null, content: null },
          clickIds: { gclid: "visit-a-click" },
          referrer: "https://www.google.com/",
          landingUrl: "https://shop.example/?utm_source=google&utm_medium=cpc&gclid=visit-a-click",
        },
        country: "DE",
        gpc: false,
        browserIds: {},
      },
    ]);
    const reference = { evid: "evid-0001", visit: "visit-a", at: NOW };
    expect(await reader.findClick(site.id, "visit-a-click")).toEqual(reference);
    expect(await reader.findVisit(site.id, reference)).toMatchObject({ visit: "visit-a", source: "google" });

    const context = { visit: "visit-a", visitor: 1, country: "DE", source: "google", channel: "Paid Search" };
    expect(recorder.of(site.id)).toEqual([
      { kind: "visit", at: NOW, path: "/", isFirst: true, ...context },
      { kind: "pageview", at: NOW, id: "visit-a-p0", path: "/", ...context },
      { kind: "pageview", at: NOW + 1_000, id: "visit-a-p1", path: "/page-1", ...context },
      { kind: "engagement", at: NOW, visit: "visit-a" },
    ]);
  });

  test("is not the visitor's first when there was one before, however often either is written", async () => {
    const { site, recorder, writer, message } = newSite();
    const later = trafficHit("visit-b");
    later.visit.at += 3_600_000;
    await writer()(queued(message("evid-0001", trafficHit("visit-a"))));
    await writer()(queued(message("evid-0001", later)));
    await writer()(queued(message("evid-0001", later), message("evid-0001", trafficHit("visit-a"))));
    const firsts = recorder
      .of(site.id)
      .flatMap((fact) => (fact.kind === "visit" ? [[fact.visit, fact.isFirst]] : []));
    expect(unique(firsts)).toEqual([
      ["visit-a", true],
      ["visit-b", false],
    ]);
  });

  test("that began in one batch out of order counts the earliest as the first", async () => {
    const { site, reader, writer, message } = newSite();
    const later = trafficHit("visit-b");
    later.visit.at += 1;
    await writer()(queued(message("evid-0001", later), message("evid-0001", trafficHit("visit-a"))));
    expect((await reader.findVisitor(site.id, "evid-0001"))?.firstVisit.visit).toBe("visit-a");
  });
});

describe("visible time", () => {
  test("is a fact at its page view's time", async () => {
    const { site, recorder, writer, message } = newSite();
    const hit = trafficHit("visit-a", {
      kind: "attention",
      first: false,
      at: NOW + 60_000,
      visibleMs: 4_200.4,
    });
    await writer()(queued(message("evid-0001", hit)));
    expect(recorder.of(site.id)).toEqual([
      { kind: "attention", at: NOW, visit: "visit-a", id: "visit-a-p0", path: "/", visibleMs: 4_200 },
    ]);
  });
});

describe("visitor numbers", () => {
  test("50 writers that meet a new visitor at once give it one number", async () => {
    const { site, recorder, reader, writer, message } = newSite();
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, i) => writer()(queued(message("evid-0001", trafficHit(`visit-${i}`))))),
    );
    expect(outcomes.flat()).toEqual([]);
    const visitor = await reader.findVisitor(site.id, "evid-0001");
    const numbers = new Set(
      recorder.of(site.id).flatMap((fact) => ("visitor" in fact ? [fact.visitor] : [])),
    );
    expect([...numbers]).toEqual([visitor?.number]);
    const firsts = recorder.of(site.id).filter((fact) => fact.kind === "visit" && fact.isFirst);
    expect(firsts).toHaveLength(1);
  });

  test("are each given once, by many writers with many visitors, and nearly without gaps", async () => {
    const { site, recorder, writer, message } = newSite();
    await Promise.all(
      Array.from({ length: 8 }, (_, w) =>
        writer()(
          queued(
            ...Array.from({ length: 150 }, (_, i) =>
              message(`evid-${w}-${i}-x`, trafficHit(`visit-${w}-${i}`)),
            ),
          ),
        ),
      ),
    );
    const numbers = recorder.of(site.id).flatMap((fact) => (fact.kind === "visit" ? [fact.visitor] : []));
    expect(new Set(numbers).size).toBe(8 * 150);
    expect(Math.min(...numbers)).toBe(1);
    expect(Math.max(...numbers)).toBeLessThanOrEqual(8 * 200);
  });

  test("one instance hands out a leased range without gaps, also to calls at the same time", async () => {
    const numbers = createVisitorNumbers(engine.dynamo, engine.tables.Identity);
    const site = ++newestSite;
    const taken = [
      await numbers.take(site, 1),
      ...(await Promise.all([numbers.take(site, 30), numbers.take(site, 30)])),
    ];
    expect(taken.flat().sort((a, b) => a - b)).toEqual(Array.from({ length: 61 }, (_, i) => i + 1));
    expect(await numbers.take(site, 0)).toEqual([]);
  });
});

describe("delivered again", () => {
  test("a batch changes nothing: the same items, the same facts", async () => {
    const { site, recorder, reader, writer, message, visits } = newSite();
    const first = trafficHit("visit-a");
    const batch = () =>
      queued(message("evid-0001", first, nextPage(first, 1)), message("evid-0002", trafficHit("visit-b")));
    await writer()(batch());
    const once = unique(recorder.of(site.id));
    const before = [await visits("evid-0001"), await reader.findVisitor(site.id, "evid-0002")];
    await writer()(batch());
    await writer()(batch());
    expect(unique(recorder.of(site.id))).toEqual(once);
    expect([await visits("evid-0001"), await reader.findVisitor(site.id, "evid-0002")]).toEqual(before);
  });

  test("after a crash before the facts, they are written then", async () => {
    const { site, recorder, writer, message } = newSite();
    const write = writer(recorder.failingOnce());
    const batch = () => queued(message("evid-0001", trafficHit("visit-a")));
    expect(await write(batch())).toEqual(["m0"]);
    expect(recorder.of(site.id)).toEqual([]);
    expect(await write(batch())).toEqual([]);
    expect(recorder.of(site.id).map(({ kind }) => kind)).toEqual(["visit", "pageview"]);
  });

  test("facts are never written before what they rest on", async () => {
    for (const broken of ["BatchWriteCommand", "PutCommand", "UpdateCommand"]) {
      const { site, recorder, writer, message } = newSite();
      const write = writer(recorder, failing(engine.dynamo, broken));
      expect(await write(queued(message("evid-0001", trafficHit("visit-a"))))).toEqual(["m0"]);
      expect(recorder.of(site.id)).toEqual([]);
      expect(await writer()(queued(message("evid-0001", trafficHit("visit-a"))))).toEqual([]);
      expect(recorder.of(site.id)).toHaveLength(2);
    }
  });

  test("a failed read of visitors costs nothing but numbers: those that exist are found when created", async () => {
    const { site, reader, recorder, writer, message } = newSite();
    await writer()(queued(message("evid-0001", trafficHit("visit-a"))));
    const write = writer(recorder, failing(engine.dynamo, "BatchGetCommand"));
    expect(await write(queued(message("evid-0001", trafficHit("visit-b"))))).toEqual([]);
    expect((await reader.findVisitor(site.id, "evid-0001"))?.number).toBe(1);
  });

  test("a visit that the table refuses costs no other visit of the batch", async () => {
    const { site, recorder, writer, message } = newSite();
    const unstorable = trafficHit("visit-b");
    unstorable.visit.path = `/${"x".repeat(420_000)}`;
    const batch = ["a", "b", "c"].map((name) =>
      message(`evid-000${name}`, name === "b" ? unstorable : trafficHit(`visit-${name}`)),
    );
    expect(await writer()(queued(...batch))).toEqual(["m1"]);
    const counted = recorder.of(site.id).flatMap((fact) => (fact.kind === "visit" ? [fact.visit] : []));
    expect(counted).toEqual(["visit-a", "visit-c"]);
  });

  test("one site's trouble is not another's", async () => {
    const { site, recorder, writer, message } = newSite();
    const sink: FactSink = {
      append: (id, facts) =>
        id === SITE.id ? Promise.reject(new Error("full")) : recorder.append(id, facts),
    };
    const batch = queued(
      message("evid-0001", trafficHit("visit-a")),
      trafficMessage("evid-0001", [trafficHit("visit-a")]),
    );
    expect(await writer(sink)(batch)).toEqual(["m1"]);
    expect(recorder.of(site.id)).toHaveLength(2);
  });
});

describe("what leads to a visit", () => {
  test("a click id stays with the first visit that carried it", async () => {
    const { site, reader, writer, message } = newSite();
    await writer()(queued(message("evid-0001", trafficHit("visit-a"))));
    const bookmarked = trafficHit("visit-b");
    bookmarked.visit.landingUrl = "https://shop.example/?gclid=visit-a-click";
    bookmarked.visit.at += 86_400_000;
    await writer()(queued(message("evid-0002", bookmarked)));
    expect(await reader.findClick(site.id, "visit-a-click")).toMatchObject({
      evid: "evid-0001",
      visit: "visit-a",
    });
    expect(await reader.findClick(site.id, "VISIT-A-CLICK")).toBeNull();
    expect(await reader.findClick(site.id + 1_000_000, "visit-a-click")).toBeNull();
  });

  test("an e-mail leads to every visitor it was attached to, by the latest visit of each", async () => {
    const { site, writer, message } = newSite();
    const identify = (visit: string, at: number) => {
      const hit = trafficHit(visit, { kind: "identify", contact: { email: "jane@mail.example" } });
      return { ...hit, visit: { ...hit.visit, at } };
    };
    await writer()(queued(message("evid-0001", identify("visit-b", NOW + 10))));
    await writer()(queued(message("evid-0001", identify("visit-a", NOW))));
    await writer()(queued(message("evid-0002", identify("visit-c", NOW + 20))));
    const people = createPeopleReader(engine.dynamo, engine.tables.Identity);
    expect((await people.known(site.id, " Jane@Mail.example ")).visitors).toEqual([
      { evid: "evid-0002", visit: "visit-c", at: NOW + 20 },
      { evid: "evid-0001", visit: "visit-b", at: NOW + 10 },
    ]);
    expect((await people.known(site.id, "john@mail.example")).visitors).toEqual([]);
  });

  test("no e-mail is in a key or in a fact", async () => {
    const { site, recorder, writer, message } = newSite();
    const sent: unknown[] = [];
    const spy = intercept(engine.dynamo, (command) => void sent.push(command));
    await writer(
      recorder,
      spy,
    )(
      queued(
        message(
          "evid-0001",
          trafficHit("visit-a", { kind: "identify", contact: { email: "jane@mail.example" } }),
        ),
      ),
    );
    const keys = JSON.stringify(sent).match(/"(pk|sk)":"[^"]*"/g) ?? [];
    expect(keys.length).toBeGreaterThan(3);
    expect(keys.join()).not.toContain("jane");
    expect(JSON.stringify(recorder.of(site.id))).not.toContain("jane");
  });
});

describe("reading visits", () => {
  test("goes by time, either way, up to an instant, a page at a time", async () => {
    const { site, reader, writer, message, visits } = newSite();
    const at = (i: number) => NOW + ((i * 7) % 11) * 60_000;
    const hits = Array.from({ length: 11 }, (_, i) => {
      const hit = trafficHit(`visit-${i}`);
      return { ...hit, visit: { ...hit.visit, at: at(i) } };
    });
    await writer()(queued(message("evid-0001", ...hits)));
    const times = (await visits("evid-0001", { limit: 3 })).map((visit) => visit.at);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times).toHaveLength(11);
    const until = await visits("evid-0001", { upTo: NOW + 5 * 60_000, newestFirst: true });
    expect(until.map((visit) => visit.at)).toEqual([5, 4, 3, 2, 1, 0].map((i) => NOW + i * 60_000));
    const pages = await pagesOf(reader.visitsOf(site.id, "evid-0001", { limit: 4 }));
    expect(pages.map((page) => page.length)).toEqual([4, 4, 3]);
  });

  test("of nobody is empty, whatever is asked", async () => {
    const { reader, visits } = newSite();
    for (const evid of ["nobody-0001", "", "a#b", "../..", "\u0000", "x".repeat(5_000), "ünïcode-evid"]) {
      expect(await reader.findVisitor(1, evid)).toBeNull();
      expect(await visits(evid)).toEqual([]);
    }
    expect(await reader.findClick(1, "")).toBeNull();
  });
});

describe("messages that can never succeed", () => {
  test("are dropped, and cost the others nothing", async () => {
    const { site, recorder, writer, message } = newSite();
    const gone = trafficMessage("evid-0001", [trafficHit("visit-a")], 9_999);
    const bad = [
      undefined,
      null,
      1,
      "x",
      [],
      {},
      { ...gone, hits: [{ kind: "?" }] },
      { ...gone, hits: [] },
      gone,
    ];
    expect(await writer()(queued(...bad, message("evid-0001", trafficHit("visit-a"))))).toEqual([]);
    expect(recorder.of(site.id)).toHaveLength(2);
  });

  test("any JSON is either a message or dropped", async () => {
    const { writer } = newSite();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        fc.pre(!trafficMessageSchema.safeParse(body).success);
        expect(await writer()(queued(body))).toEqual([]);
      }),
    );
  });

  test("messages whose site could not be looked up are tried again", async () => {
    const table = engine.tables.Identity;
    const write = trafficWriter({
      sites: { find: () => Promise.reject(new Error("throttled")) },
      recordEvents: async () => {},
      registry: createVisitorRegistry(engine.dynamo, table, createVisitorNumbers(engine.dynamo, table)),
      journal: createVisitJournal(engine.dynamo, table),
      people: createPeopleRegistry(engine.dynamo, table, randomBytes),
      wakeLinks: async () => {},
      facts: recordFacts(),
    });
    expect(await write(queued(trafficMessage("evid-0001", [trafficHit("visit-a")])))).toEqual(["m0"]);
  });

  test("events of the browser are taken and not tried again", async () => {
    const { site, recorder, writer, message } = newSite();
    const event = trafficHit("visit-a", {
      kind: "event",
      first: false,
      name: "signup",
      properties: { plan: "pro" },
    });
    expect(await writer()(queued(message("evid-0001", event)))).toEqual([]);
    expect(recorder.of(site.id)).toEqual([]);
  });
});

/** Writes at three page views a visit, counted at the table. */
test("a visit costs one identity write, a new visitor and a click id one more each; page views none", async () => {
  const { writer, message } = newSite();
  const writes: string[] = [];
  const spy = intercept(engine.dynamo, (command) => {
    const { RequestItems, Item } = command.input as {
      RequestItems?: Record<string, { PutRequest?: unknown }[]>;
      Item?: object;
    };
    if (command.constructor.name === "PutCommand")
      writes.push(JSON.stringify(Item).includes("number") ? "visitor" : "pointer");
    if (command.constructor.name === "BatchWriteCommand") {
      for (const puts of Object.values(RequestItems ?? {})) writes.push(...puts.map(() => "visit"));
    }
  });
  const write = writer(undefined, spy);
  const visitOf = (evid: string, visit: string) => {
    const first = trafficHit(visit);
    return message(evid, first, nextPage(first, 1), nextPage(first, 2));
  };
  await write(queued(visitOf("evid-0001", "visit-a")));
  expect(writes.splice(0).sort()).toEqual(["pointer", "visit", "visitor"]);
  await write(queued(visitOf("evid-0001", "visit-b")));
  expect(writes.splice(0).sort()).toEqual(["pointer", "visit"]);
  const first = trafficHit("visit-b");
  await write(queued(message("evid-0001", nextPage(first, 3), nextPage(first, 4))));
  expect(writes).toEqual([]);
});

async function pagesOf<Page>(iterable: AsyncIterable<Page>): Promise<Page[]> {
  const pages: Page[] = [];
  for await (const page of iterable) pages.push(page);
  return pages;
}

function intercept(
  dynamo: Dynamo,
  before: (command: { input: unknown; constructor: { name: string } }) => void,
): Dynamo {
  return new Proxy(dynamo, {
    get: (target, property) =>
      property === "send"
        ? (command: Parameters<Dynamo["send"]>[0], ...rest: []) => {
            before(command);
            return target.send(command, ...rest);
          }
        : Reflect.get(target, property),
  });
}

const failing = (dynamo: Dynamo, commandName: string): Dynamo =>
  intercept(dynamo, (command) => {
    if (command.constructor.name === commandName) throw new Error(`${commandName} fails`);
  });
