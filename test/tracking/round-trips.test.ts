import { randomBytes } from "node:crypto";
import { trafficWriter } from "../../functions/traffic/handler";
import { createFactLog, createFactReader } from "../../shared/storage/analytics/facts";
import { createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
import { type Engine, startEngine } from "../support/engine";
import { NOW, nextPage, queued, SITE, sitesOf, trafficHit, trafficMessage } from "./builders";
import { countRounds } from "./rounds";

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** The writer as it is composed, on the real fact log. */
function composed() {
  const { dynamo, rounds } = countRounds(engine.dynamo);
  const { Identity, Facts } = engine.tables;
  let seed = 0;
  const random = (length: number) => Buffer.alloc(length, ++seed);
  const write = trafficWriter({
    people: createPeopleRegistry(dynamo, Identity, randomBytes),
    wakeLinks: async () => {},
    sites: sitesOf(SITE),
    recordEvents: async () => {},
    registry: createVisitorRegistry(dynamo, Identity, createVisitorNumbers(dynamo, Identity)),
    journal: createVisitJournal(dynamo, Identity),
    facts: createFactLog({ dynamo, table: Facts, clock: () => NOW, random }),
  });
  return { write, rounds };
}

const batch = (from: number, count: number) =>
  queued(
    ...Array.from({ length: count }, (_, i) => {
      const first = trafficHit(`visit-${from + i}`);
      return trafficMessage(`evid-${String(from + i).padStart(6, "0")}`, [
        first,
        nextPage(first, 1),
        nextPage(first, 2),
      ]);
    }),
  );

test("a batch of known visitors is two round trips one after the other, of new ones three", async () => {
  const { write, rounds } = composed();
  expect(await write(batch(0, 8))).toEqual([]);
  rounds(); // The first batch also leases numbers and marks its quarter.

  expect(await write(batch(100, 8))).toEqual([]);
  expect(rounds()).toBe(3); // Look up; create; append.

  expect(await write(batch(100, 8))).toEqual([]);
  expect(rounds()).toBe(2); // Visits; append. The visitors are remembered.
});

test("what the writer appended is what the fact log gives back", async () => {
  const { write } = composed();
  await write(batch(1_000, 3));
  const reader = createFactReader(engine.dynamo, engine.tables.Facts);
  const facts = [...(await reader.read(SITE.id, NOW, NOW + 900_000)).values()].flat();
  const of = (kind: string) =>
    facts.filter((fact) => fact.kind === kind && "visit" in fact && /visit-100\d/.test(fact.visit));
  expect([of("visit").length, of("pageview").length, of("engagement").length]).toEqual([3, 9, 6]);
});
