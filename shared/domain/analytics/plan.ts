import type { Instant } from "../instant";
import { type Bucket, bucketAt, bucketEnd, bucketId, type Level, parentOf } from "./bucket";

/** Half-open: the first instant in it and the first instant after it. Both on a quarter hour. */
export interface Interval {
  readonly start: Instant;
  readonly end: Instant;
}

/** Contiguous buckets of a level whose cubes answer for `from` to `to`, or contiguous quarters to fold from their facts. */
export interface Piece {
  readonly source: Level | "facts";
  readonly from: Instant;
  readonly to: Instant;
}

/**
 * How to read an interval, given the site's markers: walk the tree from the top; a bucket wholly inside with no marker
 * on it or below it is its cube; else descend; a marked quarter is folded from its facts. Where cubes are built only from
 * some instant on, no bucket that begins before it is trusted. The pieces tile the interval in order, and neighbours of
 * one kind are one piece. A piece of facts never spans two UTC days.
 */
export function plan(
  { start, end }: Interval,
  marked: readonly Bucket[],
  builtFrom: Instant = Number.NEGATIVE_INFINITY,
): Piece[] {
  const marks = untrustedBy(marked);
  const isTrusted = (bucket: Bucket) => bucket.start >= builtFrom && !marks.has(bucketId(bucket));
  const pieces: Piece[] = [];
  for (let at = start; at < end; ) {
    const piece = pieceAt(at, end, isTrusted);
    const last = pieces.at(-1);
    if (last && joins(last, piece)) pieces[pieces.length - 1] = { ...last, to: piece.to };
    else pieces.push(piece);
    at = piece.to;
  }
  return pieces;
}

/** Ids of the buckets whose cubes these marks forbid to trust: the marked ones and all above them. */
export function untrustedBy(marked: readonly Bucket[]): ReadonlySet<string> {
  const untrusted = new Set<string>();
  for (const bucket of marked) {
    for (let at: Bucket | null = bucket; at; at = parentOf(at)) untrusted.add(bucketId(at));
  }
  return untrusted;
}

const LEVELS: readonly Level[] = ["month", "day", "quarter"];

function pieceAt(at: Instant, end: Instant, isTrusted: (bucket: Bucket) => boolean): Piece {
  for (const level of LEVELS) {
    const bucket = bucketAt(level, at);
    const to = bucketEnd(bucket);
    if (bucket.start !== at || to > end) continue;
    if (isTrusted(bucket)) return { source: level, from: at, to };
    if (level === "quarter") return { source: "facts", from: at, to };
  }
  throw new RangeError("an interval begins and ends on a quarter hour");
}

const joins = (last: Piece, next: Piece): boolean =>
  last.source === next.source &&
  (last.source !== "facts" || bucketAt("day", last.from).start === bucketAt("day", next.from).start);
