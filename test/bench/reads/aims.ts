import type { ReadFigures } from "./reads";

/** Milliseconds over 365 days (issue 3): sets by country and by page are many. */
const SLOWEST: Readonly<Record<string, number>> = { users: 1_000, pages: 1_000 };
const SLOWEST_OTHERS = 300;
const ROUND_TRIPS = 4;
const CACHED_ROUND_TRIPS = 2;
const GROWTH = 2;

/** A figure that is worse than what it should be at worst. */
export interface MissedAim {
  readonly endpoint: string;
  readonly range: string;
  readonly figure: string;
  readonly measured: number;
  readonly aim: number;
}

/** What a question over a year should take, in milliseconds; a shorter range is no reason for more. */
const slowestOf = (endpoint: string): number => SLOWEST[endpoint] ?? SLOWEST_OTHERS;

export const missedBy = (figures: readonly ReadFigures[]): MissedAim[] =>
  figures.flatMap(({ endpoint, range, ...measured }) =>
    missed(endpoint, range, [
      ["ms", measured.ms, slowestOf(endpoint)],
      ["round trips", measured["round trips"], ROUND_TRIPS],
      ["cached trips", measured["cached trips"], CACHED_ROUND_TRIPS],
    ]),
  );

export interface Growth {
  readonly endpoint: string;
  readonly range: string;
  readonly "time x": number;
  readonly "read units x": number;
}

/** How many times as much each question costs on `large` as on `small`. */
export const growthOf = (small: readonly ReadFigures[], large: readonly ReadFigures[]): Growth[] =>
  large.map(({ endpoint, range, ...figures }, i) => ({
    endpoint,
    range,
    "time x": figures.ms / (small[i]?.ms ?? 1),
    "read units x": figures["read units"] / (small[i]?.["read units"] ?? 1),
  }));

export const outgrown = (growth: readonly Growth[]): MissedAim[] =>
  growth.flatMap(({ endpoint, range, "time x": times }) =>
    missed(endpoint, range, [["time x", times, GROWTH]]),
  );

const missed = (
  endpoint: string,
  range: string,
  figures: readonly (readonly [figure: string, measured: number, aim: number])[],
): MissedAim[] =>
  figures
    .filter(([, measured, aim]) => measured > aim)
    .map(([figure, measured, aim]) => ({ endpoint, range, figure, measured, aim }));
