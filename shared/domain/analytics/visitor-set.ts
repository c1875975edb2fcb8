import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
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

const AS_BITMAP = 0;
const AS_GAPS = 1;
/** Sets above this are dense enough that the bitmap is about as small, and faster to read. */
const MAX_GAPS = 50_000;

/**
 * A set as it is stored: the smaller of the compressed bitmap and the compressed gaps between members. Visitors of one
 * day are scattered thinly over the site's numbers, where gaps take half the bytes. Equal sets give equal bytes.
 */
export function packSet(set: VisitorSet): Uint8Array {
  const bitmap = zstdCompressSync(set);
  const numbers = countDistinct([set]) <= MAX_GAPS ? members(set) : null;
  const gaps = numbers && zstdCompressSync(toGaps(numbers));
  return gaps && gaps.length < bitmap.length
    ? Buffer.concat([Uint8Array.of(AS_GAPS), gaps])
    : Buffer.concat([Uint8Array.of(AS_BITMAP), bitmap]);
}

/** Inverse of {@link packSet}. */
export function unpackSet(bytes: Uint8Array): VisitorSet {
  const content = zstdDecompressSync(bytes.subarray(1));
  return bytes[0] === AS_GAPS ? visitorSet(fromGaps(content)) : content;
}

/** The members of a stored set, ascending: for who goes through them one by one and needs no set. */
export function unpackMembers(bytes: Uint8Array): Uint32Array {
  const content = zstdDecompressSync(bytes.subarray(1));
  return bytes[0] === AS_GAPS ? fromGaps(content) : withUnion([content], (bitmap) => bitmap.toUint32Array());
}

/** Differences of ascending numbers, seven bits a byte, the highest bit set where more follow. */
function toGaps(numbers: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(numbers.length * 5);
  let length = 0;
  let last = 0;
  for (const number of numbers) {
    let gap = number - last;
    for (; gap > 0x7f; gap >>>= 7) bytes[length++] = (gap & 0x7f) | 0x80;
    bytes[length++] = gap;
    last = number;
  }
  return bytes.subarray(0, length);
}

function fromGaps(bytes: Uint8Array): Uint32Array {
  const numbers = new Uint32Array(bytes.length);
  let count = 0;
  let last = 0;
  let gap = 0;
  let shift = 0;
  for (const byte of bytes) {
    gap |= (byte & 0x7f) << shift;
    shift += 7;
    if (byte & 0x80) continue;
    last += gap >>> 0;
    numbers[count++] = last;
    gap = 0;
    shift = 0;
  }
  return numbers.subarray(0, count);
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
