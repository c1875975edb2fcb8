import { QueryCommand, type QueryCommandInput } from "@aws-sdk/lib-dynamodb";
import { type Bucket, bucketAt, bucketEnd, QUARTER } from "../../shared/domain/analytics/bucket";
import { traffic } from "../../shared/domain/analytics/facets/traffic";
import type { ConversionFact, TrafficFact } from "../../shared/domain/analytics/fact";
import { isOpen } from "../../shared/domain/analytics/sealing";
import { DAY, MINUTE, SECOND } from "../../shared/domain/instant";
import type { Dynamo } from "../../shared/storage/dynamo";
import { transact } from "../../shared/storage/transact";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { Interleaver } from "../support/interleaver";

/**
 * What DynamoDB does not promise, moment by moment: while a transaction is not answered, queries see some of its items
 * as they were; a query is no snapshot; clocks differ. The random walks of protocol.test.ts come across these rarely.
 */

const START = Date.UTC(2024, 1, 29, 12);
const quarter = bucketAt("quarter", START);
const day = bucketAt("day", START);

let engine: Engine;
let sites = 100;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const pageview = (id: string): TrafficFact => ({
  ...{ kind: "pageview", visit: "v", visitor: 1, id, at: START, path: "/" },
  ...{ source: "(direct)", channel: "Direct", country: "DE" },
});
const lead: ConversionFact = {
  ...{ kind: "conversion", id: "evt_1", version: 1, at: START, type: "Lead", name: "Lead" },
  ...{ visitor: null, source: "(none)", channel: "Unattributed", value: 0, products: [] },
};

type Request = { input: QueryCommandInput; constructor: { name: string } };
type Instead = (request: Request, send: () => Promise<{ Items?: Item[] }>) => Promise<unknown>;
type Item = Record<string, unknown>;

/** A client whose requests are carried out by `instead`. */
const interposed = (instead: Instead): Dynamo =>
  new Proxy(engine.dynamo, {
    get: (target, name) =>
      name === "send"
        ? (request: Request, options: unknown) =>
            instead(request, () =>
              (target.send as (...args: unknown[]) => Promise<{ Items?: Item[] }>).call(
                target,
                request,
                options,
              ),
            )
        : Reflect.get(target, name),
  });

const is = (request: Request, command: string, partition = ""): boolean =>
  request.constructor.name === command &&
  String(request.input.ExpressionAttributeValues?.[":pk"] ?? "").startsWith(partition);

/** A client whose transactions take effect, but whose answer waits for `release`. */
function unanswered() {
  let release = () => {};
  let tookEffect = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const effect = new Promise<void>((resolve) => {
    tookEffect = resolve;
  });
  const dynamo = interposed(async (request, send) => {
    const answer = await send();
    if (!is(request, "TransactWriteCommand")) return answer;
    tookEffect();
    await released;
    return answer;
  });
  return { dynamo, release, effect };
}

/** A client that does not see what has been written to the given sort key's item of these partitions since `old` was read. */
const blindTo = (partition: string, sk: string, old: Item | undefined) =>
  interposed(async (request, send) => {
    const answer = await send();
    if (!is(request, "QueryCommand", partition)) return answer;
    const Items = (answer.Items ?? []).flatMap((item) =>
      String(item.sk).startsWith(sk) ? (old ?? []) : item,
    );
    return { ...answer, Items };
  });

async function itemsOf(table: string, pk: string): Promise<Item[]> {
  const { Items = [] } = await engine.dynamo.send(
    new QueryCommand({
      TableName: table,
      KeyConditionExpression: "pk = :pk",
      ExpressionAttributeValues: { ":pk": pk },
    }),
  );
  return Items;
}

/** A site with one page view, sealed to the month, long over. */
async function sealedSite() {
  const site = ++sites;
  const now = START + 40 * DAY;
  const core = (dynamo: Dynamo = engine.dynamo, clock = () => now) => analyticsOver(engine, dynamo, clock);
  await core().log.append(site, [pageview("1")]);
  await core().sealAll(site);
  expect(await core().markers.list(site)).toEqual([]);
  const cubes = await itemsOf(engine.tables.Cubes, `C#${site}#traffic`);
  const oldCube = cubes.find(({ sk }) => String(sk).startsWith("Q"));
  return { site, now, core, oldCube };
}

async function figures(core: ReturnType<typeof analyticsOver>, site: number) {
  const interval = { start: day.start - 40 * DAY, end: day.start + 40 * DAY };
  const { rows } = await core.reader.read({ site, facet: traffic, interval });
  return { pageviews: rows.total("pageviews"), leads: rows.total("leads") };
}

describe("while a sealing has taken effect but is not answered", () => {
  it("a reader that sees the old cube still sees the marker, and reads the facts", async () => {
    const { site, core, oldCube } = await sealedSite();
    await core().log.append(site, [pageview("2")]);
    const sealing = unanswered();
    const sealed = core(sealing.dynamo).sealer.seal(site, [quarter]);
    await sealing.effect;
    const reader = core(blindTo("C#", String(oldCube?.sk), oldCube));
    expect(await figures(reader, site)).toEqual({ pageviews: 2, leads: 0 });
    sealing.release();
    await sealed;
    expect(await figures(core(), site)).toEqual({ pageviews: 2, leads: 0 });
  });

  it("the day's sealer does not take the old cube for the new one, though its list of markers is no snapshot", async () => {
    const { site, core, oldCube } = await sealedSite();
    const sealing = unanswered();
    let sealed: Promise<unknown> = Promise.resolve();
    let lists = 0;
    const oldCubes = blindTo("C#", String(oldCube?.sk), oldCube);
    const daySealer = core(
      interposed(async (request, send) => {
        if (is(request, "QueryCommand", "C#")) return oldCubes.send(request as never);
        if (!is(request, "QueryCommand", "M#") || ++lists > 1) return send();
        const early = (await send()).Items ?? [];
        await core().log.append(site, [pageview("2")]);
        sealed = core(sealing.dynamo).sealer.seal(site, [quarter]);
        await sealing.effect;
        const late = (await send()).Items ?? [];
        const isQuarter = (item: Item) => String(item.sk).includes("Q");
        return { Items: [...early.filter(isQuarter), ...late.filter((item) => !isQuarter(item))] };
      }),
    );
    await daySealer.sealer.seal(site, [day]);
    expect(lists).toBeGreaterThan(0);
    sealing.release();
    await sealed;
    expect(await figures(core(), site)).toEqual({ pageviews: 2, leads: 0 });
    await core().sealAll(site);
    expect(await figures(core(), site)).toEqual({ pageviews: 2, leads: 0 });
  });
});

describe("while a late conversion has taken effect but is not answered", () => {
  it("a sealer that sees its mark but not its fact does not take the mark away", async () => {
    const { site, now, core } = await sealedSite();
    const recording = unanswered();
    const items = await core().log.conversionWrites(site, [lead]);
    const recorded = transact(recording.dynamo, items);
    await recording.effect;
    const withinTheFunctionsTime = () => now + 20 * SECOND;
    const blind = blindTo("F#", "12:00#C#", undefined);
    await analyticsOver(engine, blind, withinTheFunctionsTime).sealer.seal(site, [quarter]);
    recording.release();
    await recorded;
    expect(await figures(core(), site)).toEqual({ pageviews: 1, leads: 1 });
    await core(engine.dynamo, () => now + 10 * MINUTE).sealAll(site);
    expect(await core().markers.list(site)).toEqual([]);
    expect(await figures(core(), site)).toEqual({ pageviews: 1, leads: 1 });
  });
});

describe("a list of markers that is no snapshot", () => {
  it("never hides a change: whatever it sees before and after a sealing", async () => {
    for (const cut of ["", "1", "2", "3", "D", "M", "Q", "~"]) {
      const { site, core } = await sealedSite();
      await core().log.append(site, [pageview("2")]);
      const reader = core(
        interposed(async (request, send) => {
          if (!is(request, "QueryCommand", "M#")) return send();
          const early = (await send()).Items ?? [];
          expect(await core().sealer.seal(site, [quarter])).toBe(1);
          const late = (await send()).Items ?? [];
          return {
            Items: [
              ...early.filter(({ sk }) => String(sk) < cut),
              ...late.filter(({ sk }) => String(sk) >= cut),
            ],
          };
        }),
      );
      expect(await figures(reader, site)).toEqual({ pageviews: 2, leads: 0 });
    }
  });
});

describe("a quarter that closes under a writer", () => {
  const lastOpenInstant = (bucket: Bucket): number => {
    let at = bucketEnd(bucket);
    while (isOpen(bucket, at + SECOND)) at += SECOND;
    return at;
  };

  it("is not sealed before a writer that took it for open has run its time, their clocks a minute off either way", async () => {
    const site = ++sites;
    let now = lastOpenInstant(quarter) + MINUTE;
    const run = new Interleaver();
    const writer = run.start(engine.dynamo, now, (dynamo) =>
      analyticsOver(engine, dynamo, () => now - MINUTE).log.append(site, [pageview("1")]),
    );
    await run.pass(0, 2); // The day's index entry and the marker; what waits now is the block itself.
    now += MINUTE; // As long as a function runs.
    await analyticsOver(engine, engine.dynamo, () => now + MINUTE).sealAll(site);
    await run.drain();
    expect(await writer).toBe(true);
    const core = analyticsOver(engine, engine.dynamo, () => now);
    expect((await figures(core, site)).pageviews).toBe(1);
    now += 40 * DAY;
    await core.sealAll(site);
    expect((await figures(core, site)).pageviews).toBe(1);
  });

  it("costs an instance one mark while it is open, and is marked around every write once it is closed", async () => {
    const site = ++sites;
    let now = START + MINUTE;
    let marks = 0;
    const counting = interposed((request, send) => {
      if (request.constructor.name === "UpdateCommand") marks++;
      return send();
    });
    const { log } = analyticsOver(engine, counting, () => now);
    for (const id of ["1", "2", "3"]) await log.append(site, [pageview(id)]);
    expect(marks).toBe(1);
    now = START + QUARTER + 3 * MINUTE;
    await log.append(site, [pageview("4")]);
    expect(marks).toBe(3);
  });
});
