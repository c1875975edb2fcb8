import { statSync } from "node:fs";
import { type DuckDBAppender, type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import type { ConversionFact, TrafficFact } from "../../../shared/domain/analytics/fact";
import { daysOfFacts } from "../site/facts";
import { kept } from "../site/kept";
import { shapeOf } from "../site/load";

/** The facts of a site as rows of an analytical database, by day. A column `ms` is an instant, money is in thousandths. */
const TABLES = {
  visits:
    "ms BIGINT, visit VARCHAR, visitor INTEGER, source VARCHAR, channel VARCHAR, country VARCHAR, path VARCHAR, is_first BOOLEAN",
  pageviews:
    "ms BIGINT, visit VARCHAR, visitor INTEGER, source VARCHAR, channel VARCHAR, country VARCHAR, path VARCHAR",
  engagements: "ms BIGINT, visit VARCHAR",
  attentions: "ms BIGINT, visit VARCHAR, path VARCHAR, visible_ms INTEGER",
  conversions:
    "ms BIGINT, event VARCHAR, type VARCHAR, name VARCHAR, visitor INTEGER, source VARCHAR, channel VARCHAR, value BIGINT",
  product_lines: "ms BIGINT, event VARCHAR, sku VARCHAR, name VARCHAR, units INTEGER, revenue BIGINT",
} as const;

type Table = keyof typeof TABLES;
type Value = string | number | bigint | boolean | null;

export interface Rows {
  readonly connection: DuckDBConnection;
  readonly megabytes: number;
  readonly loadSeconds: number;
  close(): void;
}

/** The rows of the site of that size, in a file that is kept as the site is. They come from the generator, by no code of the product. */
export async function openRows(pageviews: number): Promise<Rows> {
  const { file, notes, finish } = kept<{ loadSeconds: number }>(pageviews, "duckdb");
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  let loadSeconds = notes?.loadSeconds;
  if (loadSeconds === undefined) {
    const began = performance.now();
    await load(connection, pageviews);
    loadSeconds = Math.round((performance.now() - began) / 1_000);
    finish({ loadSeconds });
  }
  return {
    connection,
    loadSeconds,
    megabytes: statSync(file).size / 1_000_000,
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

async function load(connection: DuckDBConnection, pageviews: number): Promise<void> {
  const appenders = {} as Record<Table, DuckDBAppender>;
  for (const [table, columns] of Object.entries(TABLES)) {
    await connection.run(`CREATE TABLE ${table} (${columns})`);
    appenders[table as Table] = await connection.createAppender(table);
  }
  const put = (table: Table, ...values: Value[]): void => append(appenders[table], values);
  for (const { traffic, conversions } of daysOfFacts(shapeOf(pageviews))) {
    for (const fact of traffic) putTraffic(put, fact);
    for (const fact of conversions) putConversion(put, fact);
  }
  for (const appender of Object.values(appenders)) appender.closeSync();
  await connection.run("CHECKPOINT");
}

type Put = (table: Table, ...values: Value[]) => void;

function putTraffic(put: Put, fact: TrafficFact): void {
  const at = BigInt(fact.at);
  if (fact.kind === "visit") {
    const { visit, visitor, source, channel, country, path, isFirst } = fact;
    put("visits", at, visit, visitor, source, channel, country, path, isFirst);
  } else if (fact.kind === "pageview") {
    const { visit, visitor, source, channel, country, path } = fact;
    put("pageviews", at, visit, visitor, source, channel, country, path);
  } else if (fact.kind === "engagement") put("engagements", at, fact.visit);
  else put("attentions", at, fact.visit, fact.path, fact.visibleMs);
}

function putConversion(put: Put, fact: ConversionFact): void {
  const { id, type, name, visitor, source, channel, value, products } = fact;
  const at = BigInt(fact.at);
  put("conversions", at, id, type, name, visitor, source, channel, BigInt(value));
  for (const line of products) {
    put("product_lines", at, id, line.sku, line.name, line.units, BigInt(line.revenue));
  }
}

function append(appender: DuckDBAppender, values: readonly Value[]): void {
  for (const value of values) {
    if (value === null) appender.appendNull();
    else if (typeof value === "string") appender.appendVarchar(value);
    else if (typeof value === "bigint") appender.appendBigInt(value);
    else if (typeof value === "boolean") appender.appendBoolean(value);
    else appender.appendInteger(value);
  }
  appender.endRow();
}
