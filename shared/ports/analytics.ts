import type { Bucket, Level } from "../domain/analytics/bucket";
import type { Fact } from "../domain/analytics/fact";
import type { Instant } from "../domain/instant";

/** A bucket whose cube is not to be trusted. */
export interface Marker {
  readonly bucket: Bucket;
  /** Changes with every mark: a sealer that still finds the one it saw before it read has missed nothing. */
  readonly nonce: string;
  /** Not to be sealed before this instant. */
  readonly settlesAt: Instant;
}

export interface DueBucket {
  readonly site: number;
  readonly bucket: Bucket;
}

export interface MarkerReader {
  /**
   * All markers of a site, read consistently, quarters before days before months. It is no snapshot: a marker removed
   * before the call is not in it, one set before the call and not removed is. What happens during the call is seen in
   * that order, so that who finds a quarter's marker gone also finds the one its sealing set on the day.
   */
  list(site: number, signal?: AbortSignal): Promise<Marker[]>;
}

/** When marked buckets are to be sealed. */
export interface SealingSchedule {
  /** Buckets of any site that fell due by `now`: at most `limit` of each index partition, read eventually. */
  due(now: Instant, limit: number): Promise<DueBucket[]>;
  /** Puts off a bucket that could not be sealed, so that it keeps none of the others waiting. */
  postpone(site: number, bucket: Bucket, until: Instant): Promise<void>;
}

/** Contiguous buckets of one level: from the one that starts at `from` up to but without the one that starts at `to`. */
export interface Run {
  readonly level: Level;
  readonly from: Instant;
  readonly to: Instant;
}

export interface FactReader {
  /** The facts of contiguous quarters `from` (inclusive) to `to` (exclusive) of one UTC day, by quarter, read consistently. */
  read(site: number, from: Instant, to: Instant, signal?: AbortSignal): Promise<Map<Instant, Fact[]>>;
  /** First instants of the UTC days that may have facts, ascending. */
  days(site: number): Promise<Instant[]>;
  /** First instants of the quarters of that UTC day that have facts, ascending. */
  quarters(site: number, day: Instant): Promise<Instant[]>;
}

/** One bucket's summaries, by facet, as the facets encode them. */
export interface SealedBucket {
  readonly bucket: Bucket;
  /** The marker's nonce as it was before the facts (or child cubes) were read. */
  readonly nonce: string;
  readonly cubes: readonly {
    readonly facet: string;
    readonly bytes: Uint8Array;
  }[];
}

export interface CubeStore {
  /** The cubes of a facet in a run, ascending by start, each read whole and consistently. */
  read(
    site: number,
    facet: string,
    run: Run,
    signal?: AbortSignal,
  ): Promise<{ start: Instant; bytes: Uint8Array }[]>;
  /**
   * In one transaction: puts the cubes of all these buckets if each marker's nonce is unchanged, and marks their
   * parents. Once that is answered, so that everyone sees it, removes the markers whose nonce is still unchanged.
   * Answers false, having changed nothing, when a nonce has changed.
   */
  seal(site: number, sealed: readonly SealedBucket[], now: Instant): Promise<boolean>;
}
