import { randomBytes } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { createInboundHandler } from "../../functions/inbound/handler";
import type { RecordConversion } from "../../shared/application/record-conversion";
import type { ConversionFact, EngagementFact } from "../../shared/domain/analytics/fact";
import type { Instant } from "../../shared/domain/instant";
import { DAY } from "../../shared/domain/instant";
import { recorderOver } from "../../shared/lambda/conversion-recorder";
import { httpFunction } from "../../shared/lambda/http";
import { log } from "../../shared/lambda/log";
import type { LinkEntry } from "../../shared/ports/links";
import type { OutboxEntry } from "../../shared/ports/outbox";
import type { VisitorReader, VisitRecord } from "../../shared/ports/visitors";
import { createFactLog, createFactReader } from "../../shared/storage/analytics/facts";
import {
  createReceivingWebhook,
  createReceivingWebhookDirectory,
} from "../../shared/storage/conversion/receiving-webhooks";
import { createDynamo, type Dynamo } from "../../shared/storage/dynamo";
import type { TableId } from "../../shared/storage/tables";
import type { Engine } from "../support/engine";

log.setLogLevel("SILENT");

/** 2026-07-09 12:00 UTC. */
export const NOON = Date.UTC(2026, 6, 9, 12);

/** A visit as the traffic writer would have recorded it. */
export const visit = (id: string, at: Instant, source: string, channel: string): VisitRecord => ({
  visit: id,
  at,
  source,
  channel,
  rule: "test",
  rulesVersion: 1,
  path: "/",
  touch: {
    utm: { source: null, medium: null, campaign: null, term: null, content: null },
    clickIds: {},
    referrer: null,
    landingUrl: "https://shop.example/",
  },
  country: "DE",
  gpc: false,
  browserIds: {},
});

/** Visitors by their evid, each numbered by its place, with its visits oldest first. */
export function visitorsOf(visits: Readonly<Record<string, readonly VisitRecord[]>>): VisitorReader {
  const evids = Object.keys(visits);
  return {
    async findVisitor(_site, evid) {
      const first = visits[evid]?.[0];
      return first ? { evid, number: evids.indexOf(evid) + 1, firstVisit: first } : null;
    },
    async *visitsOf(_site, evid, { upTo = Infinity, limit = 50 } = {}) {
      const all = (visits[evid] ?? []).filter(({ at }) => at <= upTo).reverse();
      for (let i = 0; i < all.length; i += limit) yield all.slice(i, i + limit);
    },
    findVisit: async (_site, { evid, visit: id }) => visits[evid]?.find(({ visit }) => visit === id) ?? null,
    async findClick(_site, clickId) {
      for (const evid of evids) {
        const carrier = visits[evid]?.find(({ touch }) => Object.values(touch.clickIds).includes(clickId));
        if (carrier) return { evid, visit: carrier.visit, at: carrier.at };
      }
      return null;
    },
  };
}

/** A client of the engine of its own, for tests that tamper with its calls. */
export const clientOf = (engine: Engine): Dynamo =>
  createDynamo({
    endpoint: engine.endpoint,
    region: "eu-west-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });

type Headers = Readonly<Record<string, string>>;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

export interface Inbound {
  /** A new webhook's token. */
  webhook(eventType: string, site?: number): Promise<string>;
  /** Posts to a webhook; objects as JSON, anything else as it is. */
  post(token: string, body: unknown, method?: string, headers?: Headers): Promise<Answer>;
  /** What the relay was woken for. */
  readonly woken: OutboxEntry[];
  /** What was to be looked up at once. */
  readonly lookUps: LinkEntry[];
  /** What records for it, as other sources use it. */
  readonly recorder: RecordConversion;
  /** The time it is; tests set it. */
  now: Instant;
}

interface Options {
  readonly dynamo?: Dynamo;
  readonly visitors?: VisitorReader;
  readonly wakeRelay?: (entry: OutboxEntry) => Promise<void>;
}

/** The inbound function on a real engine, called as the gateway calls it. */
export function startInbound(engine: Engine, options: Options = {}): Inbound {
  const { tables } = engine;
  const { dynamo = engine.dynamo, visitors } = options;
  const woken: OutboxEntry[] = [];
  const lookUps: LinkEntry[] = [];
  const clock = () => inbound.now;
  const recorder = recorderOver({
    dynamo,
    facts: createFactLog({ dynamo, table: tables.Facts, clock, random: randomBytes }),
    tables: { identity: tables.Identity, deliveries: tables.Deliveries },
    ...(visitors && { visitors }),
    random: randomBytes,
    linkLookupMs: DAY,
    wakeLinks: async (entries) => {
      lookUps.push(...entries);
    },
    wakeRelay:
      options.wakeRelay ??
      (async (entry) => {
        woken.push(entry);
      }),
  });
  const handler = httpFunction(
    createInboundHandler({
      webhooks: createReceivingWebhookDirectory(dynamo, tables.Config),
      record: recorder,
      clock,
    }),
  );
  const inbound: Inbound = {
    now: NOON,
    woken,
    lookUps,
    recorder,
    async webhook(eventType, site = 1) {
      const { token } = await createReceivingWebhook(
        { dynamo: engine.dynamo, table: tables.Config, clock, random: randomBytes },
        { workspace: 1, site, name: eventType, eventType },
      );
      return token;
    },
    async post(token, body, method = "POST", headers = {}) {
      const result = (await handler(gatewayEvent(token, body, method, headers), {
        awsRequestId: "test",
      } as Context)) as APIGatewayProxyStructuredResultV2;
      return { status: result.statusCode ?? 0, body: JSON.parse(result.body ?? "null") };
    },
  };
  return inbound;
}

function gatewayEvent(
  token: string,
  body: unknown,
  method: string,
  headers: Headers,
): APIGatewayProxyEventV2 {
  const bytes = body instanceof Uint8Array;
  return {
    version: "2.0",
    routeKey: "POST /api/webhooks/in/{token}",
    rawPath: `/api/webhooks/in/${token}`,
    rawQueryString: "",
    headers: { "content-type": "application/json", ...headers },
    pathParameters: { token },
    requestContext: {
      http: { method, path: "", protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
      requestId: "request",
    } as APIGatewayProxyEventV2["requestContext"],
    body: bytes
      ? Buffer.from(body).toString("base64")
      : typeof body === "string"
        ? body
        : JSON.stringify(body),
    isBase64Encoded: bytes,
  };
}

/** Every conversion and engagement fact of a site on the UTC day of `at`. */
export async function factsOn(engine: Engine, site: number, at: Instant = NOON) {
  const start = Math.floor(at / DAY) * DAY;
  const quarters = await createFactReader(engine.dynamo, engine.tables.Facts).read(site, start, start + DAY);
  const facts = [...quarters.values()].flat();
  return {
    conversions: facts.filter((fact): fact is ConversionFact => fact.kind === "conversion"),
    engagements: facts.filter((fact): fact is EngagementFact => fact.kind === "engagement"),
  };
}

/** The fact log of an engine's tables, at the time of NOON. */
export const factLogOf = ({ dynamo, tables }: Engine) =>
  createFactLog({ dynamo, table: tables.Facts, clock: () => NOON, random: randomBytes });

/** Every item of a table. */
export async function itemsOf(engine: Engine, table: TableId): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  let from: Record<string, unknown> | undefined;
  do {
    const page = await engine.dynamo.send(
      new ScanCommand({ TableName: engine.tables[table], ExclusiveStartKey: from, ConsistentRead: true }),
    );
    items.push(...(page.Items ?? []));
    from = page.LastEvaluatedKey;
  } while (from);
  return items;
}
