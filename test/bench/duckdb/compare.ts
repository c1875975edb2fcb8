import assert from "node:assert/strict";
import type { DuckDBConnection } from "@duckdb/node-api";
import { bucketAt, bucketEnd } from "../../../shared/domain/analytics/bucket";
import type { Interval } from "../../../shared/domain/analytics/plan";
import { DAY } from "../../../shared/domain/instant";
import { timed } from "../measure";
import { callerOf, figuresOf } from "../reads/caller";
import { nameOf, QUESTIONS, type ReadFigures } from "../reads/reads";
import type { LoadedSite } from "../site/load";
import { MACROS, QUESTIONS_IN_SQL } from "./questions";
import { openRows } from "./rows";

/** The same question asked of cubes and of rows; the answers were equal. */
export interface Compared {
  readonly endpoint: string;
  readonly range: string;
  /** Of the whole function. */
  readonly "function ms": number;
  /** Of the query alone, on all cores. */
  readonly "DuckDB ms": number;
  readonly "times the function": number;
}

const RUNS = 5;

/**
 * Asks DuckDB the same questions of the raw rows of the same facts. Throws when one of its answers is not, field for field,
 * the one that the function gives.
 */
export async function compareWithRows(
  loaded: LoadedSite,
  pageviews: number,
  figures: readonly ReadFigures[],
): Promise<{ compared: Compared[]; megabytes: number; loadSeconds: number }> {
  const rows = await openRows(pageviews);
  const caller = callerOf(loaded, loaded.engine.dynamo);
  const compared: Compared[] = [];
  try {
    for (const macro of MACROS) await rows.connection.run(macro);
    for (const [i, question] of QUESTIONS.entries()) {
      if (question.timezone || question.limit) continue;
      const endpoint = question.endpoint.operation.name;
      const sql = QUESTIONS_IN_SQL[endpoint]?.(lastDays(loaded, question.days));
      assert(sql, `${endpoint} is not asked in SQL`);
      const answer = figuresOf(await caller.request(question, "afresh"));
      assert.deepEqual(await bodyOf(rows.connection, sql), answer, `${endpoint}, ${nameOf(question)}`);
      const { median } = await timed(RUNS, () => bodyOf(rows.connection, sql));
      const ms = figures[i]?.ms ?? 0;
      const range = nameOf(question);
      compared.push({
        endpoint,
        range,
        "function ms": ms,
        "DuckDB ms": median,
        "times the function": median / ms,
      });
    }
    const { megabytes, loadSeconds } = rows;
    return { compared, megabytes, loadSeconds };
  } finally {
    rows.close();
  }
}

function lastDays({ shape }: LoadedSite, days: number): Interval {
  const end = bucketEnd(bucketAt("day", shape.until - 1));
  return { start: end - days * DAY, end };
}

async function bodyOf(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const [[json] = []] = (await connection.runAndReadAll(sql)).getRows();
  return JSON.parse(String(json));
}
