import type { Bucket } from "../domain/analytics/bucket";
import { bucketAt, parentOf } from "../domain/analytics/bucket";
import { isSealable } from "../domain/analytics/sealing";
import type { Instant } from "../domain/instant";
import type { FactReader, MarkerReader } from "../ports/analytics";
import type { Clock } from "../ports/clock";
import type { Sealer } from "./sealer";

export interface RebuilderDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  /** Marks a closed quarter, with a new nonce. */
  readonly mark: (site: number, quarter: Bucket, now: Instant) => Promise<void>;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export interface Rebuilder {
  /**
   * Makes every cube of a site anew from its facts, while the site is read and written: day by day, so that readers
   * fold the facts of one day at a time, its quarters are marked and sealed from the bottom up; the months at the end.
   * Cubes lost before count as empty until their day's turn. What a crash leaves marked the sweeper sees to; repeating
   * is safe. `onDay` is told each UTC day when it is done.
   */
  rebuild(site: number, onDay?: (day: Instant) => void): Promise<void>;
}

const MARKS_AT_ONCE = 16;

/** Invariant 1: everything the read API serves is a pure function of facts and may be deleted and rebuilt. */
export function createRebuilder({ markers, facts, mark, sealer, clock }: RebuilderDependencies): Rebuilder {
  async function markDay(site: number, day: Instant): Promise<void> {
    const quarters = (await facts.quarters(site, day)).map((start): Bucket => ({ level: "quarter", start }));
    const closed = quarters.filter((quarter) => isSealable(quarter, clock()));
    for (let i = 0; i < closed.length; i += MARKS_AT_ONCE) {
      await Promise.all(closed.slice(i, i + MARKS_AT_ONCE).map((quarter) => mark(site, quarter, clock())));
    }
  }

  return {
    async rebuild(site, onDay = () => {}) {
      for (const day of await facts.days(site)) {
        await markDay(site, day);
        const marked = (await markers.list(site)).map(({ bucket }) => bucket);
        const below = marked.filter(
          (bucket) => bucket.level === "quarter" && parentOf(bucket)?.start === day,
        );
        await sealer.seal(site, [...below, bucketAt("day", day)]);
        onDay(day);
      }
      const months = (await markers.list(site))
        .map(({ bucket }) => bucket)
        .filter(({ level }) => level === "month");
      await sealer.seal(site, months);
    },
  };
}
