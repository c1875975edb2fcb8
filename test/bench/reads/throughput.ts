import { mapPooled } from "../../../shared/application/pooled";
import { SECOND } from "../../../shared/domain/instant";
import { ENDPOINTS } from "../../../shared/lambda/read-api/endpoints";
import type { LoadedSite } from "../site/load";
import { callerOf, type Question } from "./caller";

/** Answers a second of processor time: what one function on one core can give when its tables keep pace. */
export interface Throughput {
  readonly endpoint: string;
  readonly range: string;
  readonly "uncached /s": number;
  readonly "cached /s": number;
}

const DAYS = 30;
const AT_ONCE = 4;
/** Answers counted together, and for how long that is repeated. */
const ROUND = 20;
const LASTS = 0.75 * SECOND;

export async function measureThroughput(loaded: LoadedSite): Promise<Throughput[]> {
  const caller = callerOf(loaded, loaded.engine.dynamo);
  const rows: Throughput[] = [];
  for (const endpoint of ENDPOINTS) {
    const question: Question = { endpoint, days: DAYS };
    rows.push({
      endpoint: endpoint.operation.name,
      range: `${DAYS} d`,
      "uncached /s": await perProcessorSecond(() => caller.handle(question, "afresh")),
      "cached /s": await perProcessorSecond(() => caller.handle(question, "cache")),
    });
  }
  return rows;
}

/** All of this process counts, garbage collection too; the engine is a process of its own. */
async function perProcessorSecond(answer: () => Promise<void>): Promise<number> {
  const round = () => mapPooled(Array.from({ length: ROUND }), AT_ONCE, answer);
  await round();
  const before = process.cpuUsage();
  let answers = 0;
  for (const end = performance.now() + LASTS; performance.now() < end; answers += ROUND) await round();
  const { user, system } = process.cpuUsage(before);
  return answers / ((user + system) / 1_000_000);
}
