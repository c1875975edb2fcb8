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

/** A set as it is stored. Equal sets are equal bytes. */
export type PackedSet = Uint8Array;

const AS_BITMAP = 0;
const AS_GAPS = 1;
const AS_PLAIN_GAPS = 2;
/** Sets above this are dense enough that the bitmap is about as small, and faster to read. */
const MAX_GAPS = 50_000;
/** Gaps up to this are too few to be compressed. */
const TOO_FEW_BYTES = 64;
/** Compression that saves less is not worth its reading: scattered gaps hardly compress, and cubes have thousands of sets. */
const WORTH_COMPRESSING = 0.9;

/**
 * The gaps between members, compressed where that helps, or the compressed bitmap, whichever is smaller. Visitors of one
 * day are scattered thinly over the site's numbers, where gaps take half the bytes.
 */
export const packSet = (set: VisitorSet): PackedSet => withUnion([set], packBitmap);

/** Inverse of {@link packSet}. */
export function unpackSet(bytes: PackedSet): VisitorSet {
  return bytes[0] === AS_BITMAP ? zstdDecompressSync(bytes.subarray(1)) : visitorSet(unpackNumbers(bytes));
}

/** The members of a packed set, ascending: for who goes through them one by one and needs no set. */
export const unpackMembers = (bytes: PackedSet): Uint32Array =>
  bytes[0] === AS_BITMAP
    ? withUnion([zstdDecompressSync(bytes.subarray(1))], (bitmap) => bitmap.toUint32Array())
    : unpackNumbers(bytes);

/** The packed set of these numbers, in any order, repeated or not. */
export function packedSet(numbers: Iterable<number>): PackedSet {
  const bitmap = new RoaringBitmap32(Uint32Array.from(numbers).sort());
  try {
    return packBitmap(bitmap);
  } finally {
    bitmap.dispose();
  }
}

/** {@link union} of packed sets. One by itself is left as it is: most of the many small sets of a cube are. */
export function unionPacked(sets: readonly PackedSet[]): PackedSet {
  if (sets.length === 1 && sets[0]) return sets[0];
  return withPacked(sets, packBitmap);
}

/** How many distinct visitors these packed sets hold together. */
export function countPacked(sets: readonly PackedSet[]): number {
  const lists = sets.map(unpackNumbers);
  const numbers = lists.reduce((sum, list) => sum + list.length, 0);
  const largest = lists.reduce((most, list) => Math.max(most, list.at(-1) ?? 0), 0);
  // Ticking numbers off takes a fraction of uniting bitmaps, where it takes no more memory than the numbers do.
  return largest < 32 * numbers ? countTicks(lists, largest) : withPacked(sets, (bitmap) => bitmap.size);
}

/** How many distinct numbers, up to `largest`, these lists hold together. */
function countTicks(lists: readonly Uint32Array[], largest: number): number {
  const ticks = new Uint32Array((largest >>> 5) + 1);
  let count = 0;
  for (const list of lists) {
    for (const number of list) {
      const word = ticks[number >>> 5] ?? 0;
      const ticked = word | (1 << (number & 31));
      if (word === ticked >>> 0) continue;
      ticks[number >>> 5] = ticked;
      count++;
    }
  }
  return count;
}

function packBitmap(bitmap: RoaringBitmap32): PackedSet {
  const gaps = bitmap.size <= MAX_GAPS ? toGaps(bitmap.toUint32Array()) : null;
  if (gaps && gaps.length <= TOO_FEW_BYTES) return prefixed(AS_PLAIN_GAPS, gaps);
  const whole = zstdCompressSync(serialize(bitmap));
  if (!gaps) return prefixed(AS_BITMAP, whole);
  const squeezed = zstdCompressSync(gaps);
  const least = Math.min(whole.length, squeezed.length);
  if (least > gaps.length * WORTH_COMPRESSING) return prefixed(AS_PLAIN_GAPS, gaps);
  return squeezed.length === least ? prefixed(AS_GAPS, squeezed) : prefixed(AS_BITMAP, whole);
}

const prefixed = (format: number, content: Uint8Array): PackedSet =>
  Buffer.concat([Uint8Array.of(format), content]);

/** The members, ascending. */
function unpackNumbers(bytes: PackedSet): Uint32Array {
  const content = bytes.subarray(1);
  if (bytes[0] === AS_BITMAP) return withPacked([bytes], (bitmap) => bitmap.toUint32Array());
  return fromGaps(bytes[0] === AS_GAPS ? zstdDecompressSync(content) : content);
}

/** Differences of ascending numbers, seven bits a byte, the highest bit set where more follow. */
function toGaps(numbers: Uint32Array): Uint8Array {
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

function withPacked<Result>(sets: readonly PackedSet[], use: (bitmap: RoaringBitmap32) => Result): Result {
  const all = new RoaringBitmap32();
  try {
    for (const set of sets) {
      // A bitmap of its own even for numbers: adding them to one that has some moves those about each time.
      const one =
        set[0] === AS_BITMAP
          ? RoaringBitmap32.deserialize(FORMAT, zstdDecompressSync(set.subarray(1)))
          : new RoaringBitmap32(unpackNumbers(set));
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
