import { createHash, randomBytes } from "node:crypto";
import { createRelay } from "../../../functions/relay/handler";
import { trafficWriter } from "../../../functions/traffic/handler";
import { createSealer } from "../../../shared/application/sealer";
import { bucketAt } from "../../../shared/domain/analytics/bucket";
import { eventKind } from "../../../shared/domain/conversion/event-type";
import type { JsonObject } from "../../../shared/domain/conversion/json";
import { readPayload } from "../../../shared/domain/conversion/reading";
import type { RandomBytes } from "../../../shared/domain/ids";
import type { Instant } from "../../../shared/domain/instant";
import { previewPayload } from "../../../shared/domain/receipts/preview";
import type { TrafficMessage } from "../../../shared/domain/tracking/message";
import { analyticsStores } from "../../../shared/lambda/analytics-stores";
import { recorderOver } from "../../../shared/lambda/conversion-recorder";
import { createSiteDirectory } from "../../../shared/storage/access/sites";
import { createFactLog, type FactLog } from "../../../shared/storage/analytics/facts";
import { createMarkerReader } from "../../../shared/storage/analytics/markers";
import { createConversionReader } from "../../../shared/storage/conversion/conversions";
import { createOutbox } from "../../../shared/storage/conversion/outbox";
import type { Dynamo } from "../../../shared/storage/dynamo";
import { createPeopleRegistry } from "../../../shared/storage/identity/people";
import type { TableId } from "../../../shared/storage/tables";
import { createVisitorNumbers } from "../../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../../shared/storage/tracking/visits";
import type { StoryConversion, StoryDay, StoryVisit } from "./story";

export interface StageDependencies {
  readonly dynamo: Dynamo;
  readonly tables: Readonly<Record<TableId, string>>;
  readonly site: number;
  /** Ids of the receiving webhooks conversions come through, by event type. */
  readonly webhooks: Readonly<Record<StoryConversion["type"], string>>;
}

/**
 * Plays days of the story through the product's own ingest code: the traffic writer, the recorder, the relay (its
 * announcements go nowhere) and the sealer. A day played twice changes nothing.
 *
 * To its fact log it is the beginning of the played day, so that it marks each quarter once. Such a mark must stand until
 * the day is written: nobody else may seal this site's buckets while a day is played, and each day has a log of its own,
 * because what the last one marked is sealed by then (a visit that went on past midnight marks a quarter of the next day).
 */
export function createStage({ dynamo, tables, site, webhooks }: StageDependencies) {
  const eventIds = reproducible();
  const logAt = (instant: Instant) =>
    createFactLog({ dynamo, table: tables.Facts, clock: () => instant, random: randomBytes });
  let todaysLog = logAt(0);
  const facts: FactLog = {
    append: (...these) => todaysLog.append(...these),
    conversionWrites: (...these) => todaysLog.conversionWrites(...these),
    expect: (...these) => todaysLog.expect(...these),
  };
  const markers = createMarkerReader(dynamo, tables.Facts);
  const outbox = createOutbox(dynamo, tables.Deliveries);
  const writeTraffic = trafficWriter({
    sites: createSiteDirectory(dynamo, tables.Config),
    registry: createVisitorRegistry(dynamo, tables.Identity, createVisitorNumbers(dynamo, tables.Identity)),
    journal: createVisitJournal(dynamo, tables.Identity),
    people: createPeopleRegistry(dynamo, tables.Identity, randomBytes),
    wakeLinks: async () => {},
    facts,
    recordEvents: async () => {}, // the story's conversions come through webhooks
  });
  const relay = createRelay({
    outbox,
    conversions: createConversionReader(dynamo, tables.Identity),
    facts,
    bus: { publish: async (events) => events.map(() => true) },
  });
  const record = recorderOver({
    dynamo,
    facts,
    tables: { identity: tables.Identity, deliveries: tables.Deliveries },
    random: eventIds.bytes,
    linkLookupMs: 0, // the story links nobody
    wakeRelay: async (entry) => {
      await relay([{ id: entry.event, body: entry, receiveCount: 1 }]);
    },
    wakeLinks: async () => {},
  });
  const sealer = createSealer({
    ...analyticsStores(dynamo, { facts: tables.Facts, cubes: tables.Cubes, config: tables.Config }),
    clock: () => Date.now(),
  });

  async function playVisits(visits: readonly StoryVisit[]): Promise<void> {
    const messages = visits.map((visit) => ({ id: visit.id, body: messageOf(site, visit), receiveCount: 1 }));
    const failed = await writeTraffic(messages);
    if (failed.length > 0) throw new Error(`${failed.length} visits of the demo could not be written`);
  }

  async function playConversion({ at, type, payload }: StoryConversion): Promise<void> {
    const kind = eventKind(type);
    if (!kind) throw new Error(`no such event type: ${type}`);
    eventIds.restart(`${at} ${JSON.stringify(payload)}`); // the event's id follows from the event
    await record({
      site,
      kind,
      source: "webhook",
      via: webhooks[type],
      reading: readPayload(payload as JsonObject),
      receipt: { preview: previewPayload(payload as JsonObject) },
      at,
    });
  }

  return {
    async play({ start, visits, conversions }: StoryDay): Promise<void> {
      todaysLog = logAt(start);
      await playVisits(visits);
      for (const conversion of conversions) await playConversion(conversion);
      const marked = (await markers.list(site)).map(({ bucket }) => bucket);
      await sealer.seal(site, [...marked, bucketAt("day", start), bucketAt("month", start)]);
    },
  };
}

/** What the collector would have put on the queue. */
function messageOf(
  site: number,
  { evid, id, at, country, landingUrl, referrer, views }: StoryVisit,
): TrafficMessage {
  const visit = { id, at, path: views[0]?.path ?? "/", landingUrl, referrer, browserIds: {} };
  return {
    site,
    received: (views.at(-1)?.at ?? at) + 1,
    evid,
    country,
    gpc: false,
    hits: views.flatMap((view, index) => {
      const page = { id: view.id, index, path: view.path, at: view.at };
      return [
        { kind: "pageview" as const, at: view.at, first: index === 0, visit, page },
        { kind: "attention" as const, at: view.at, first: false, visit, page, visibleMs: view.visibleMs },
      ];
    }),
  };
}

/** Randomness that can be started again from a seed. */
function reproducible(): { bytes: RandomBytes; restart(seed: string): void } {
  let seed = "";
  let drawn = 0;
  return {
    restart(next) {
      seed = next;
      drawn = 0;
    },
    bytes: (length) => createHash("sha256").update(`${seed} ${drawn++}`).digest().subarray(0, length),
  };
}
