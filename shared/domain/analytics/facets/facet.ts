import type { QuarterFacts } from "../quarter-facts";

/**
 * One question's summary of a bucket. Cubes of neighbouring buckets merge into the cube of both: associatively, in
 * the order of time. A new question is a new facet; everything else (sealing, planning, reading) is common.
 */
export interface Facet<Cube> {
  /** Short and stable: part of the stored keys. */
  readonly name: string;
  /**
   * Whether it was added to a site that may have had sealed buckets already: its cubes are trusted only as far back as
   * they are built.
   */
  readonly isAdded?: boolean;
  /** The cube of one quarter, or null when the quarter has nothing for this facet. */
  fold(facts: QuarterFacts): Cube | null;
  /** The cube of these cubes' buckets, given in the order of time. No cubes merge into the empty cube. */
  merge(cubes: readonly Cube[]): Cube;
  /**
   * Bounds a cube before it is stored: keeps the largest rows and folds the rest into `(other)`, so that what a
   * stranger can inflate cannot outgrow an item. Totals stay exact.
   */
  bound(cube: Cube): Cube;
  /** Equal cubes give equal bytes. */
  encode(cube: Cube): Uint8Array;
  decode(bytes: Uint8Array): Cube;
  /**
   * How many of an encoded cube's first bytes are its head, if the facet can answer from heads and a few slices of what
   * follows, the body: stores then keep large bodies where they need not be read.
   */
  headOf?(bytes: Uint8Array): number;
}

/** A cube as it is stored: bounded, its head told from its body where it has one. */
export function toStore(facet: Facet<unknown>, cube: unknown) {
  const bytes = facet.encode(facet.bound(cube));
  return { facet: facet.name, bytes, head: facet.headOf?.(bytes) };
}
