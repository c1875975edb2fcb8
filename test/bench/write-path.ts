import { randomBytes } from "node:crypto";
import { trafficWriter } from "../../functions/traffic/handler";
import { QUEUES } from "../../infra/manifest";
import type { Site } from "../../shared/domain/access/principal";
import { DAY, type Instant, MINUTE, SECOND } from "../../shared/domain/instant";
import type { TrafficHit, TrafficMessage } from "../../shared/domain/tracking/message";
import { createFactLog } from "../../shared/storage/analytics/facts";
import type { Dynamo } from "../../shared/storage/dynamo";
import { createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { metered } from "./measure";
import { mulberry } from "./random";

/** Write units of a page view, all that follows from it included (visit, visitor, visible time, sealing). */
export interface WritePathRow {
  readonly "page views/s": number;
  /** Share of visits that carry a click id. */
  readonly "click ids %": number;
  /** Workers that fetch from the queue side by side. */
  readonly pollers: number;
  /** Messages of a batch on average. */
  readonly batch: number;
  readonly facts: number;
  readonly markers: number;
  readonly identity: number;
  readonly cubes: number;
  readonly "units per page view": number;
}

interface Setting {
  readonly rate: number;
  readonly clickShare: number;
  readonly pollers: number;
  readonly windowSeconds: number;
}

/** Long enough for a few thousand page views; below a quarter hour sealing counts for more than it costs. */
const MINUTES: Record<number, number> = { 0.3: 120, 1: 45, 10: 6, 100: 1 };
const VIEWS_PER_VISIT = 3;
const NEW_SHARE = 0.3;
const READING = 45 * SECOND;
const START = Date.UTC(2026, 0, 14, 10);
const SITE: Site = { id: 1, workspace: 1, domain: "shop.example", name: "Shop" };

/**
 * The write path as deployed (window, batch size, the writer, the log, sealing) under a clock of its own, for a site
 * with steady traffic: visits arrive as a Poisson process, each of three page views that report their visible time.
 * The queue hands messages to its pollers as they come, each of which waits for a window to fill its batch. A standard
 * queue begins with five of them; one is what batching would be at its best.
 */
export async function measureWritePath(
  settings: readonly Partial<Setting>[] = SETTINGS,
): Promise<WritePathRow[]> {
  const rows: WritePathRow[] = [];
  for (const setting of settings) {
    const engine = await startEngine();
    try {
      rows.push(await measure(engine, { ...DEFAULTS, ...setting }));
    } finally {
      await engine.close();
    }
  }
  return rows;
}

const DEFAULTS: Setting = {
  rate: 1,
  clickShare: 0,
  pollers: 5,
  windowSeconds: QUEUES.Traffic.batchWindowSeconds,
};
const SETTINGS: readonly Partial<Setting>[] = [
  ...[0.3, 1].map((rate) => ({ rate, pollers: 1 })),
  ...[0.3, 1, 10, 100].flatMap((rate) => [{ rate }, { rate, clickShare: 0.3 }]),
];

async function measure(engine: Engine, setting: Setting): Promise<WritePathRow> {
  const { rate, clickShare, pollers } = setting;
  const random = mulberry(Math.round(rate * 1_000));
  const end = START + (MINUTES[rate] ?? 15) * MINUTE;
  const messages = traffic(random, rate, clickShare, end);
  const meter = metered(engine.dynamo);
  let now = START;
  const clock = () => now;
  const writers = Array.from({ length: pollers }, () => writer(meter.dynamo, engine, clock));
  const core = analyticsOver(engine, meter.dynamo, clock);

  /** What the sweeper and the roll-up do each minute. */
  async function sealUntil(at: Instant): Promise<void> {
    for (let minute = Math.floor(now / MINUTE) + 1; minute * MINUTE <= at; minute++) {
      now = minute * MINUTE;
      const marked = (await core.markers.list(SITE.id)).map(({ bucket }) => bucket);
      if (marked.length > 0) await core.sealer.seal(SITE.id, marked);
    }
  }

  const batches = inBatches(random, messages, setting);
  for (const { closes, poller, batch } of batches) {
    await sealUntil(closes);
    now = closes;
    const failed = await writers[poller]?.(
      batch.map((body, i) => ({ id: String(i), body, receiveCount: 1 })),
    );
    if (failed?.length) throw new Error(`${failed.length} messages were not written`);
  }
  await sealUntil(end + DAY / 48);

  const views = messages.filter(({ body }) => body.hits.some(({ kind }) => kind === "pageview")).length;
  const { unitsBy } = meter.consumption();
  const units = (table: string, commands: RegExp) =>
    Object.entries(unitsBy)
      .filter(([name]) => name.startsWith(`${table} `) && commands.test(name))
      .reduce((sum, [, units]) => sum + units, 0) / views;
  const facts = units("Facts", /Put/);
  const markers = units("Facts", /Update|Delete|TransactWrite/);
  const identity = units("Identity", /Put|Update|Write/);
  const cubes = units("Cubes", /Put|Write|Delete/);
  return {
    "page views/s": rate,
    "click ids %": clickShare * 100,
    pollers,
    batch: messages.length / batches.length,
    facts,
    markers,
    identity,
    cubes,
    "units per page view": facts + markers + identity + cubes,
  };
}

function writer(dynamo: Dynamo, engine: Engine, clock: () => Instant) {
  const { Identity, Facts } = engine.tables;
  return trafficWriter({
    sites: { find: async () => SITE },
    recordEvents: async () => {},
    registry: createVisitorRegistry(dynamo, Identity, createVisitorNumbers(dynamo, Identity)),
    journal: createVisitJournal(dynamo, Identity),
    people: createPeopleRegistry(dynamo, Identity, randomBytes),
    wakeLinks: async () => {},
    facts: createFactLog({ dynamo, table: Facts, clock, random: randomBytes }),
  });
}

interface Arrival {
  readonly at: Instant;
  readonly body: TrafficMessage;
}

/** Messages in the order they arrive: a page view each, and one as each page is left. */
function traffic(random: () => number, rate: number, clickShare: number, end: Instant): Arrival[] {
  const arrivals: Arrival[] = [];
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const id = (length: number) =>
    Array.from({ length }, () => Math.floor(random() * 36).toString(36)).join("");
  const evids: string[] = [];
  for (let began = START; ; ) {
    began += exponential((VIEWS_PER_VISIT / rate) * SECOND);
    if (began >= end) break;
    if (evids.length === 0 || random() < NEW_SHARE) evids.push(id(22));
    const evid = evids[Math.floor(random() * evids.length)] ?? "";
    const query = random() < clickShare ? `?utm_source=google&utm_medium=cpc&gclid=${id(55)}` : "";
    const start = Math.round(began);
    const visit = {
      id: id(16),
      at: start,
      path: "/",
      landingUrl: `https://shop.example/${query}`,
      referrer: "https://www.google.com/",
      browserIds: {},
    };
    let at = start;
    const message = (hit: Partial<TrafficHit>, index: number, page: Instant): void => {
      const base = { at, first: index === 0, visit };
      const view = { id: id(6), index, path: `/p/${Math.floor(random() * 200)}`, at: page };
      const hits = [{ ...base, page: view, ...hit } as TrafficHit];
      arrivals.push({ at, body: { site: SITE.id, received: at, evid, country: "DE", gpc: false, hits } });
    };
    for (let index = 0; index < VIEWS_PER_VISIT; index++) {
      const page = at;
      message({ kind: "pageview" }, index, page);
      at += Math.round(exponential(READING));
      message({ kind: "attention", visibleMs: at - page, first: false }, index, page);
      at += 400; // Until the next page has loaded.
    }
  }
  return arrivals.sort((a, b) => a.at - b.at);
}

interface Batch {
  readonly poller: number;
  readonly closes: Instant;
  readonly batch: TrafficMessage[];
}

/** Any poller may receive a message; its window begins with the first of a batch. */
function inBatches(
  random: () => number,
  messages: readonly Arrival[],
  { pollers, windowSeconds }: Setting,
): Batch[] {
  const done: Batch[] = [];
  const open = new Map<number, Batch>();
  for (const { at, body } of messages) {
    const poller = Math.floor(random() * pollers);
    let mine = open.get(poller);
    if (!mine || mine.closes < at || mine.batch.length >= QUEUES.Traffic.batchSize) {
      mine = { poller, closes: at + windowSeconds * SECOND, batch: [] };
      open.set(poller, mine);
      done.push(mine);
    }
    mine.batch.push(body);
  }
  return done.sort((a, b) => a.closes - b.closes);
}
