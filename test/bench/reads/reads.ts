import { ENDPOINTS } from "../../../shared/lambda/read-api/endpoints";
import { metered, timed } from "../measure";
import type { LoadedSite } from "../site/load";
import { callerOf, figuresOf, type Question } from "./caller";

/** What one question costs. */
export interface ReadFigures {
  readonly endpoint: string;
  readonly range: string;
  /** Of the function, the authorizer not counted: rate limit, access, cubes, answer, and refilling the cache. */
  readonly ms: number;
  readonly "read units": number;
  readonly requests: number;
  /** One after the other, the authorizer's included. */
  readonly "round trips": number;
  readonly "cached ms": number;
  readonly "cached trips": number;
  readonly "answer KB": number;
  /** Resident, of the process, afterwards. */
  readonly "memory MB": number;
}

export const RANGES = [1, 30, 365] as const;
const RUNS = 15;

/** Every endpoint over every range, and then what is asked otherwise: another zone, the longest list of pages. */
export const QUESTIONS: readonly Question[] = [
  ...ENDPOINTS.flatMap((endpoint) => RANGES.map((days) => ({ endpoint, days }))),
  ...ENDPOINTS.flatMap((endpoint): Question[] => {
    if (endpoint.operation.name === "overview") return [{ endpoint, days: 365, timezone: "Asia/Kolkata" }];
    return endpoint.operation.name === "pages" ? [{ endpoint, days: 365, limit: 100 }] : [];
  }),
];

export const nameOf = ({ days, timezone, limit }: Question): string =>
  [`${days} d`, timezone, limit && `limit ${limit}`].filter(Boolean).join(", ");

/** Asks each question of the functions as they are composed for Lambda, but for the clock. */
export async function measureReads(loaded: LoadedSite): Promise<ReadFigures[]> {
  const meter = metered(loaded.engine.dynamo);
  const caller = callerOf(loaded, meter.dynamo);
  const figures: ReadFigures[] = [];
  for (const question of QUESTIONS) {
    const costOf = async (from: "cache" | "afresh") => {
      meter.reset();
      const answer = await caller.request(question, from);
      figuresOf(answer);
      return { ...meter.consumption(), bytes: answer.text.length };
    };
    await caller.handle(question, "afresh");
    const afresh = await costOf("afresh");
    const { median: ms } = await timed(RUNS, () => caller.handle(question, "afresh"));
    const kept = await costOf("cache");
    const { median: cachedMs } = await timed(RUNS, () => caller.handle(question, "cache"));
    figures.push({
      endpoint: question.endpoint.operation.name,
      range: nameOf(question),
      ms,
      "read units": afresh.readUnits,
      requests: afresh.requests,
      "round trips": afresh.roundTrips,
      "cached ms": cachedMs,
      "cached trips": kept.roundTrips,
      "answer KB": afresh.bytes / 1_000,
      "memory MB": process.memoryUsage().rss / 2 ** 20,
    });
  }
  return figures;
}
