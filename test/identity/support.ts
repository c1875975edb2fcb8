import { randomBytes } from "node:crypto";
import * as z from "zod";
import { createRelay } from "../../functions/relay/handler";
import { sweeperHandler } from "../../functions/sweeper/handler";
import { trafficWriter } from "../../functions/traffic/handler";
import type { Site } from "../../shared/domain/access/principal";
import type { Instant } from "../../shared/domain/instant";
import { MINUTE } from "../../shared/domain/instant";
import type { TrafficMessage } from "../../shared/domain/tracking/message";
import { httpFunction } from "../../shared/lambda/http";
import { settlerOver } from "../../shared/lambda/link-settler";
import { revenue } from "../../shared/lambda/read-api/endpoints/revenue";
import type { BusEvent } from "../../shared/ports/event-bus";
import type { LinkEntry } from "../../shared/ports/links";
import { createConversionReader } from "../../shared/storage/conversion/conversions";
import { createOutbox } from "../../shared/storage/conversion/outbox";
import type { ReceiptLink } from "../../shared/storage/identity/link-log";
import { createPendingLinks } from "../../shared/storage/identity/pending-links";
import { createPeopleReader, createPeopleRegistry } from "../../shared/storage/identity/people";
import { createVisitorNumbers } from "../../shared/storage/tracking/visitor-numbers";
import { createVisitorRegistry } from "../../shared/storage/tracking/visitors";
import { createVisitJournal } from "../../shared/storage/tracking/visits";
import { startInbound } from "../conversions/support";
import { ask, readApi } from "../read-api/support";
import { analyticsOver } from "../support/analytics";
import type { Engine } from "../support/engine";

export const ADS = {
  google: { query: "?utm_source=google&utm_medium=cpc", source: "google", channel: "Paid Search" },
  facebook: {
    query: "?utm_source=facebook&utm_medium=paid_social",
    source: "facebook",
    channel: "Paid Social",
  },
  news: { query: "?utm_source=news&utm_medium=email", source: "news", channel: "Email" },
} as const;
export type Ad = keyof typeof ADS;

interface Visit {
  readonly evid: string;
  readonly at: Instant;
  readonly ad: Ad;
  readonly clickId?: string;
}

interface Options {
  readonly receiptLink?: ReceiptLink;
  /** Wraps the client a part of the service is given; the tests' own look-ups are not disturbed. */
  readonly clientOf?: (engine: Engine) => Engine["dynamo"];
}

/**
 * All of the service that has to do with whose a sale is, on one engine and one clock that tests set: visits and identify
 * through the traffic writer, sales through a webhook, look-ups, the sweeper, the relay, sealing. Queues keep what was
 * put on them, so that a test decides what is delivered when, or lost.
 */
export function startShop(engine: Engine, site: number, options: Options = {}) {
  const { tables } = engine;
  const dynamo = options.clientOf?.(engine) ?? engine.dynamo;
  const inbound = startInbound(engine, { dynamo });
  const clock = () => inbound.now;
  const analytics = analyticsOver(engine, dynamo, clock);
  const links = createPendingLinks(dynamo, tables.Deliveries);
  const published: BusEvent[] = [];
  const conversions = createConversionReader(engine.dynamo, tables.Identity);
  const shop: Site = { id: site, workspace: 1, domain: "shop.example", name: "Shop" };
  const write = trafficWriter({
    sites: { find: async () => shop },
    registry: createVisitorRegistry(dynamo, tables.Identity, createVisitorNumbers(dynamo, tables.Identity)),
    journal: createVisitJournal(dynamo, tables.Identity),
    people: createPeopleRegistry(dynamo, tables.Identity, randomBytes),
    wakeLinks: async (entries) => void inbound.lookUps.push(...entries),
    facts: analytics.log,
    recordEvents: async () => {},
  });
  const settle = settlerOver({
    dynamo,
    facts: analytics.log,
    tables: { identity: tables.Identity, deliveries: tables.Deliveries },
    receiptLink: options.receiptLink ?? (() => []),
    clock,
    random: randomBytes,
    wakeRelay: async (entry) => void inbound.woken.push(entry),
  });
  const sweep = sweeperHandler({
    schedule: { due: async () => [] },
    builds: { due: async () => [] },
    outbox: { due: async () => [] },
    rollups: { send: async () => {} },
    backfills: { send: async () => {} },
    announcements: { send: async () => {} },
    links,
    lookUps: {
      async send(entry, delaySeconds = 0) {
        if (entry.site === site) timed.push({ entry, at: inbound.now + delaySeconds * 1_000 });
      },
    },
    clock,
  });
  const relay = createRelay({
    outbox: createOutbox(dynamo, tables.Deliveries),
    conversions: createConversionReader(dynamo, tables.Identity),
    facts: analytics.log,
    bus: {
      async publish(events) {
        published.push(...events);
        return events.map(() => true);
      },
    },
  });
  const timed: { entry: LinkEntry; at: Instant }[] = [];
  let token: Promise<string> | undefined;

  const message = (visit: Visit, hit: Partial<TrafficMessage["hits"][number]> = {}): TrafficMessage => {
    const id = `visit-${visit.evid}-${visit.at}`;
    const click = visit.clickId === undefined ? "" : `&gclid=${visit.clickId}`;
    const landingUrl = `https://shop.example/${ADS[visit.ad].query}${click}`;
    const base = {
      kind: "pageview",
      at: visit.at,
      first: true,
      visit: { id, at: visit.at, path: "/", landingUrl, referrer: null, browserIds: {} },
      page: { id: `${id}-p`, index: 0, path: "/", at: visit.at },
    };
    const hits = [{ ...base, ...hit } as TrafficMessage["hits"][number]];
    return { site, received: inbound.now, evid: visit.evid, country: "DE", gpc: false, hits };
  };
  const send = async (body: TrafficMessage) => {
    const failed = await write([{ id: "m", body, receiveCount: 1 }]);
    if (failed.length > 0) throw new Error("a traffic message failed");
  };

  return {
    inbound,
    analytics,
    settle,
    published,
    get now() {
      return inbound.now;
    },
    set now(instant: Instant) {
      inbound.now = instant;
    },
    visit: (visit: Visit) => send(message(visit)),
    /** Somebody says who they are, in this visit. */
    identify: (visit: Visit, contact: Record<string, string>) =>
      send(message(visit, { kind: "identify", contact, at: inbound.now } as never)),
    /** The same several times in one message, a millisecond apart. */
    identifyAtOnce: (visit: Visit, contacts: readonly Record<string, string>[]) =>
      send({
        ...message(visit),
        hits: contacts.flatMap(
          (contact, i) => message(visit, { kind: "identify", contact, at: inbound.now + i } as never).hits,
        ),
      }),
    /** Posts a sale; answers the summary. */
    async sale(body: Record<string, unknown>) {
      token ??= inbound.webhook("Purchase", site);
      const answer = await inbound.post(await token, { value: 10, ...body });
      if (answer.status !== 200) throw new Error(`answered ${answer.status}`);
      return answer.body as {
        outcome: string;
        event_id: string;
        matched_by: string | null;
        link?: { status: string; existing_email: string; reason?: string };
      };
    },
    /** The site's look-ups under way, the next first. */
    async pending() {
      const due = await links.due(Number.MAX_SAFE_INTEGER, 1_000);
      return due.filter(({ entry }) => entry.site === site).sort((a, b) => a.dueAt - b.dueAt);
    },
    event: async (id: string) => conversions.find(site, id),
    known: (email: string) => createPeopleReader(engine.dynamo, tables.Identity).known(site, email),
    /** Makes the look-ups that were woken. */
    async lookUp() {
      for (const entry of inbound.lookUps.splice(0)) if (entry.site === site) await settle(entry);
    },
    /** A minute passes, with its sweep at the end and the look-ups it timed. */
    async minute() {
      inbound.now += MINUTE;
      await sweep();
      const due = timed.filter(({ at }) => at <= inbound.now);
      timed.splice(0, timed.length, ...timed.filter(({ at }) => at > inbound.now));
      for (const { entry } of due) await settle(entry);
    },
    async relayAll() {
      const woken = inbound.woken.splice(0);
      return relay(woken.map((body, i) => ({ id: String(i), body, receiveCount: 1 })));
    },
  };
}
export type Shop = ReturnType<typeof startShop>;

const bySource = z.object({
  by_source: z.array(z.object({ source: z.string(), revenue: z.number() })),
});

/** Revenue by source, in units of money, as the read endpoint answers now for this month and the one before. */
export async function revenueOf({ analytics, now }: Shop, site: number): Promise<Record<string, number>> {
  const { dependencies } = readApi({
    clock: () => now,
    sites: { find: async (id) => ({ id, workspace: 1, domain: "shop.example", name: "Shop" }) },
  });
  const pages = { top: () => Promise.reject(new Error("not asked for")) };
  const endpoint = revenue.handler(dependencies, {
    cubes: analytics.reader,
    pages,
    funnels: analytics.funnels,
  });
  const answer = await ask(httpFunction(endpoint), `site_id=${site}&period=last_30d`, {
    headers: { "cache-control": "no-cache" },
  });
  const rows = bySource.parse(answer.json()).by_source.filter((row) => row.revenue !== 0);
  return Object.fromEntries(rows.map((row) => [row.source, row.revenue]));
}
