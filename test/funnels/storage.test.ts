import { GetCommand, TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import type { FunnelStep } from "../../shared/domain/funnels/funnel";
import {
  type FunnelDraft,
  MAX_FUNNELS,
  withChange,
  withFunnel,
  withoutFunnel,
} from "../../shared/domain/funnels/saved-funnels";
import { facetBuildKey, facetBuildPartition } from "../../shared/storage/analytics/fact-keys";
import { isConditionFailure } from "../../shared/storage/dynamo";
import {
  changeFunnels,
  createFunnelDirectory,
  type FunnelTables,
} from "../../shared/storage/funnels/funnels";
import { funnelsUnchanged } from "../../shared/storage/funnels/unchanged";
import { transact } from "../../shared/storage/transact";
import { type Engine, startEngine } from "../support/engine";

const NOW = Date.UTC(2026, 10, 21, 10);

let engine: Engine;
let tables: FunnelTables;
let site = 0;
beforeAll(async () => {
  engine = await startEngine();
  tables = { dynamo: engine.dynamo, tables: { config: engine.tables.Config, facts: engine.tables.Facts } };
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
});

const page = (path: string, name = path): FunnelStep => ({ name, matches: { page: path } });
const draft: FunnelDraft = {
  name: "Buyers",
  steps: [page("/a"), { name: "Sale", matches: { event: "Sale" } }],
};

const create = (some: FunnelDraft = draft, patienceMs?: number) =>
  changeFunnels(tables, site, (before) => withFunnel(before, some, NOW), NOW, patienceMs);
const change = (id: number, some: Partial<FunnelDraft>) =>
  changeFunnels(tables, site, (before) => withChange(before, id, some), NOW + 1);
const remove = (id: number) => changeFunnels(tables, site, (before) => withoutFunnel(before, id), NOW + 2);
const saved = () => createFunnelDirectory(engine.dynamo, engine.tables.Config).of(site);

/** When the builder was last left word of a facet; null when it never was. */
async function wordOf(facet: string): Promise<number | null> {
  const { Item } = await engine.dynamo.send(
    new GetCommand({ TableName: engine.tables.Facts, Key: facetBuildKey(site, facet), ConsistentRead: true }),
  );
  expect(Item?.due_pk ?? facetBuildPartition(site)).toBe(facetBuildPartition(site));
  return Item ? Number(Item.due_at) : null;
}

describe("saved funnels", () => {
  it("are none, of version 0, for a site that never had one", async () => {
    await expect(saved()).resolves.toMatchObject({ version: 0, funnels: [] });
  });

  it("come back as they were saved, by id, the builder told of each", async () => {
    await expect(create()).resolves.toMatchObject({ facets: ["funnel-1-1"] });
    await create({ ...draft, name: "Others" });
    await expect(saved()).resolves.toMatchObject({
      version: 2,
      funnels: [
        { id: 1, revision: 1, created: NOW, ...draft },
        { id: 2, revision: 1, created: NOW, ...draft, name: "Others" },
      ],
    });
    await expect(Promise.all(["funnel-1-1", "funnel-2-1"].map(wordOf))).resolves.toEqual([NOW, NOW]);
  });

  it("keep their cubes while only names change", async () => {
    await create();
    const steps = [page("/a", "First"), { name: "Last", matches: { event: "Sale" } }];
    await expect(change(1, { name: "Renamed", steps })).resolves.toMatchObject({
      facets: [],
      after: { version: 2, funnels: [{ id: 1, revision: 1, name: "Renamed", steps }] },
    });
    await expect(wordOf("funnel-1-1")).resolves.toBe(NOW);
  });

  it.each<[string, FunnelStep[]]>([
    ["another page", [page("/b"), ...draft.steps.slice(1)]],
    ["another order", draft.steps.toReversed()],
    ["one step more", [...draft.steps, page("/a")]],
    ["one step less", [page("/a")]],
    ["a page in an event's place", [page("/a"), page("Sale")]],
  ])("ask for new cubes, and an end of the old, with %s", async (_, steps) => {
    await create();
    await expect(change(1, { steps })).resolves.toMatchObject({
      facets: ["funnel-1-1", "funnel-1-2"],
      after: { funnels: [{ revision: 2, steps }] },
    });
    await expect(Promise.all(["funnel-1-1", "funnel-1-2"].map(wordOf))).resolves.toEqual([NOW + 1, NOW + 1]);
  });

  it("are gone once deleted, the builder told, and their numbers never given again", async () => {
    await create();
    await expect(remove(1)).resolves.toMatchObject({ facets: ["funnel-1-1"] });
    await expect(wordOf("funnel-1-1")).resolves.toBe(NOW + 2);
    await expect(saved()).resolves.toMatchObject({ version: 2, funnels: [] });
    await expect(create()).resolves.toMatchObject({ after: { version: 3, funnels: [{ id: 2 }] } });
    await expect(remove(1)).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(change(1, { name: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("are of one site each", async () => {
    await create();
    site++;
    await expect(saved()).resolves.toMatchObject({ funnels: [] });
  });

  it("are 50 at most: of 60 created at once 50 are, under 50 numbers, all of them told to the builder", async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, () => create(draft, 80_000)));
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.map(({ reason }) => reason.code)).toEqual(Array.from({ length: 10 }, () => "CONFLICT"));
    const { version, funnels } = await saved();
    expect(version).toBe(MAX_FUNNELS);
    expect(funnels.map(({ id }) => id)).toEqual(Array.from({ length: MAX_FUNNELS }, (_, i) => i + 1));
    const words = await Promise.all(funnels.map(({ id }) => wordOf(`funnel-${id}-1`)));
    expect(words).toEqual(words.map(() => NOW));
  }, 90_000);

  it("are not changed, and whoever tries is told, while others are faster for as long as one may wait", async () => {
    await create();
    const refusal = Object.assign(new Error(), {
      name: "TransactionCanceledException",
      CancellationReasons: [{ Code: "ConditionalCheckFailed" }],
    });
    const send = async (command: GetCommand) => {
      if (command instanceof TransactWriteCommand) throw refusal;
      return engine.dynamo.send(command);
    };
    const crowded = { ...tables, dynamo: { send } as unknown as FunnelTables["dynamo"] };
    const lost = changeFunnels(crowded, site, (before) => withoutFunnel(before, 1), NOW, 50);
    await expect(lost).rejects.toMatchObject({
      code: "CONFLICT",
      message: expect.stringContaining("Try again"),
    });
    await expect(saved()).resolves.toMatchObject({ version: 1, funnels: [{ id: 1 }] });
  });

  it("lose none of several changes made at once", async () => {
    await create();
    await create();
    await create();
    await Promise.all([change(1, { name: "One" }), change(2, { steps: [page("/b")] }), create(), remove(3)]);
    await expect(saved()).resolves.toMatchObject({
      version: 7,
      funnels: [{ id: 1, name: "One" }, { id: 2, revision: 2 }, { id: 4 }],
    });
  });

  it("are refused when they outgrow what may be read with every question, as the last that fits are", async () => {
    const long = (i: number) => page(`/${"x".repeat(510)}`, `${i}${"ü".repeat(99)}`);
    const huge = { name: "Long", steps: Array.from({ length: 8 }, (_, i) => long(i)) };
    const refusal = await (async () => {
      for (;;) await create(huge);
    })().catch((error) => error);
    expect(refusal).toMatchObject({ code: "BAD_REQUEST", message: expect.stringContaining("too large") });
    const { funnels } = await saved();
    expect(funnels.length).toBeGreaterThan(30);
  });
});

describe("a transaction that needs the funnels to be the same", () => {
  const holds = (version: number) =>
    transact(engine.dynamo, [funnelsUnchanged(engine.tables.Config, site, version)]).then(
      () => true,
      (error) => {
        if (isConditionFailure(error)) return false;
        throw error;
      },
    );

  it("goes through while they are, and not once they have changed", async () => {
    await expect(holds(0)).resolves.toBe(true);
    await create();
    await expect(Promise.all([0, 1, 2].map(holds))).resolves.toEqual([false, true, false]);
    await change(1, { name: "Renamed" });
    await expect(Promise.all([1, 2].map(holds))).resolves.toEqual([false, true]);
  });
});
