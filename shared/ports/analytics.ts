import type { Bucket, Level } from "../domain/analytics/bucket";
import type { Facet } from "../domain/analytics/facets/facet";
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

/** What of a site's cubes is to be trusted. */
export interface Trust {
  /** Quarters before days before months. */
  readonly markers: readonly Marker[];
  /**
   * By the name of a facet that was added when there may have been facts already: from where on its cubes are built. A
   * facet that is not in here is built nowhere.
   */
  readonly builtFrom: ReadonlyMap<string, Instant>;
}

export interface MarkerReader {
  /** {@link list}, and how far added facets are built, of a moment after that. */
  trust(site: number, signal?: AbortSignal): Promise<Trust>;
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

/** The facets that a site's buckets are summed up by: those of every site, and those that its saved funnels ask for. */
export interface SiteFacets {
  /** Of the saved funnels. Cubes are put only while it is still the current one, so that no added facet is left out. */
  readonly version: number;
  readonly facets: readonly Facet<unknown>[];
}

export type FacetsOf = (site: number, signal?: AbortSignal) => Promise<SiteFacets>;

/** A bucket's cube of one facet, as the facet encodes it. */
export interface EncodedCube {
  readonly bucket: Bucket;
  readonly facet: string;
  readonly bytes: Uint8Array;
  /** The length of the cube's head, where it has one (see `Facet.headOf`). */
  readonly head?: number | undefined;
}

/** Work to do on the cubes of an added facet: build them, or, when the site has it no longer, delete them. */
export interface FacetBuild {
  readonly site: number;
  readonly facet: string;
}

/** How far the cubes of added facets are built. */
export interface FacetBuilds {
  /** When the site's facets last changed with regard to this one, or null when there is nothing to do. */
  find(
    build: FacetBuild,
  ): Promise<{ readonly changedAt: Instant; readonly builtFrom: Instant | null } | null>;
  /** Notes that every unmarked bucket from `from` on has its cube, and that there is more to do, to be looked at by `next`. */
  builtFrom(build: FacetBuild, from: Instant, next: Instant): Promise<void>;
  /** To be looked at again at `next`. */
  postpone(build: FacetBuild, next: Instant): Promise<void>;
  /** Notes that all cubes are built, unless the facet has changed since `changedAt`. */
  finish(build: FacetBuild, changedAt: Instant): Promise<void>;
  /** Forgets a facet whose cubes are deleted, unless it has changed since `changedAt`. */
  forget(build: FacetBuild, changedAt: Instant): Promise<void>;
  /** What is to be looked at by `now`, of all sites: at most `limit` of each index partition, read eventually. */
  due(now: Instant, limit: number): Promise<FacetBuild[]>;
}

/** One bucket's summaries, by facet, as the facets encode them. */
export interface SealedBucket {
  readonly bucket: Bucket;
  /** The marker's nonce as it was before the facts (or child cubes) were read. */
  readonly nonce: string;
  readonly cubes: readonly Omit<EncodedCube, "bucket">[];
}

/** How a stored cube begins: with its head, or all of it where its body lies with it. */
export interface CubeHead {
  readonly bucket: Bucket;
  readonly bytes: Uint8Array;
  /** Where the rest lies; of no concern but to the store. */
  readonly body: {
    readonly generation: string;
    readonly firstPart: number;
    readonly partBytes: number;
  } | null;
}

/** Bytes of a cube behind its head: from (inclusive), to (exclusive), counted from the cube's first byte. */
export interface CubeSlice {
  readonly cube: CubeHead;
  readonly from: number;
  readonly to: number;
}

export interface CubeStore {
  /** The cubes of a facet in a run, ascending by start, each read whole and consistently. */
  read(
    site: number,
    facet: string,
    run: Run,
    signal?: AbortSignal,
  ): Promise<{ start: Instant; bytes: Uint8Array }[]>;
  /** The heads of a facet's cubes in a run, ascending by start, read consistently. Large bodies are left where they are. */
  readHeads(site: number, facet: string, run: Run, signal?: AbortSignal): Promise<CubeHead[]>;
  /**
   * What these slices hold, however many cubes they are of, in one step, in their order. Each is of the very cube whose head
   * was read. Throws TornCubeError when one was replaced meanwhile and is gone: then the heads are to be read again.
   */
  readSlices<Slice extends CubeSlice>(
    site: number,
    facet: string,
    slices: readonly Slice[],
    signal?: AbortSignal,
  ): Promise<Map<Slice, Uint8Array>>;
  /**
   * In one transaction: puts the cubes of all these buckets if each marker's nonce is unchanged and the site's facets
   * are still those of `version`, and marks their parents. Once that is answered, so that everyone sees it, removes the
   * markers whose nonce is still unchanged. Answers false, having changed nothing, when a nonce or the version has changed.
   */
  seal(site: number, sealed: readonly SealedBucket[], version: number, now: Instant): Promise<boolean>;
  /**
   * In one transaction: puts cubes that are missing in buckets that bear no marker. Answers false, having changed nothing,
   * when one of the buckets bears one or has the cube, or the site's facets are no longer those of `version`.
   */
  add(site: number, cubes: readonly EncodedCube[], version: number, now: Instant): Promise<boolean>;
  /** Deletes all cubes of a facet. */
  drop(site: number, facet: string): Promise<void>;
}
