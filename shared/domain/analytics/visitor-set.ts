import { RoaringBitmap32, SerializationFormat } from "roaring-wasm";

/**
 * An exact set of visitors (dense numbers of one site) as a serialised roaring bitmap. Equal sets are equal bytes,
 * however they were put together. Bitmaps live outside the garbage-collected heap, so none leaves this module.
 */
export type VisitorSet = Uint8Array;

const FORMAT = SerializationFormat.portable;

/** The set of these numbers, in any order, repeated or not. */
export function visitorSet(numbers: Iterable<number>): VisitorSet {
  const bitmap = new RoaringBitmap32(numbers);
  try {
    return serialize(bitmap);
  } finally {
    bitmap.dispose();
  }
}

export const EMPTY_SET: VisitorSet = visitorSet([]);

/** The union of any number of sets: associative, commutative, idempotent. */
export function union(sets: readonly VisitorSet[]): VisitorSet {
  if (sets.length === 1 && sets[0]) return sets[0];
  return withUnion(sets, serialize);
}

/** How many distinct visitors these sets hold together. */
export function countDistinct(sets: readonly VisitorSet[]): number {
  return withUnion(sets, (bitmap) => bitmap.size);
}

/** The members, ascending. */
export function members(set: VisitorSet): number[] {
  return withUnion([set], (bitmap) => bitmap.toArray());
}

function withUnion<Result>(sets: readonly VisitorSet[], use: (bitmap: RoaringBitmap32) => Result): Result {
  const all = new RoaringBitmap32();
  try {
    for (const set of sets) {
      const one = RoaringBitmap32.deserialize(FORMAT, set);
      all.orInPlace(one);
      one.dispose();
    }
    return use(all);
  } finally {
    all.dispose();
  }
}

function serialize(bitmap: RoaringBitmap32): VisitorSet {
  bitmap.optimize();
  return bitmap.serialize(FORMAT);
}
