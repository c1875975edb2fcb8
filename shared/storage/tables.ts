/**
 * The tables, by what happens to their items. This one description is what the stack deploys, what the local run and
 * the tests create, and what the storage modules address.
 *
 * Every table has string keys `pk` and `sk`. Items with a `ttl` attribute (epoch seconds) may vanish after it.
 */
export interface TableSpec {
  readonly purpose: string;
  /** Whether items may carry an expiry. */
  readonly ttl: boolean;
  /** A sparse index `due` (string `due_pk`, number `due_at` in epoch ms) over what falls due; keys only. */
  readonly dueIndex: boolean;
}

export const TABLES = {
  Config: {
    purpose: "workspaces, members, sites, keys, webhooks, funnels, connections",
    ttl: false,
    dueIndex: false,
  },
  Identity: {
    purpose: "visitors, visits, click ids, e-mails, people, events with their contacts, duplicate claims",
    ttl: true,
    dueIndex: false,
  },
  Facts: {
    purpose: "append-only facts and the markers over them",
    ttl: false,
    dueIndex: true,
  },
  Cubes: {
    purpose: "sealed summaries; may be deleted and rebuilt from the facts",
    ttl: false,
    dueIndex: false,
  },
  Deliveries: {
    purpose: "deliveries, attempts, receipts, outbox",
    ttl: true,
    dueIndex: true,
  },
  Ephemeral: {
    purpose: "rate windows, response cache, sessions",
    ttl: true,
    dueIndex: false,
  },
} as const satisfies Record<string, TableSpec>;

export type TableId = keyof typeof TABLES;
export const DUE_INDEX = "due";

/** The environment variable that carries a table's name to a function, e.g. `FACTS_TABLE`. */
export const tableEnv = (table: TableId): string => `${table.toUpperCase()}_TABLE`;
