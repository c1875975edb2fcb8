import type { CubeSlice } from "../../ports/analytics";

/** How cubes are laid out; tests make everything small. */
export interface LayoutSizes {
  /** What lies in a cube's item up to this size lies in parts of it beyond. An item holds 400 KB. */
  readonly maxPartBytes: number;
  /** A body larger than this does not lie with its head. */
  readonly maxInlineBodyBytes: number;
  /** Parts of a body: with its key an item of 8 read units. */
  readonly bodyPartBytes: number;
}

export const LAYOUT: LayoutSizes = {
  maxPartBytes: 350_000,
  maxInlineBodyBytes: 16_000,
  bodyPartBytes: 32_000,
};

/** A transaction holds 4 MB, keys included. */
const MAX_ITEMS_BYTES = 3_000_000;

/**
 * A cube's item: the cube, or how many parts of which generation it lies in. Where a `body` lies apart, that goes for the head
 * alone, and the body's parts are those that follow.
 */
export interface CubeItem {
  readonly cube?: Uint8Array;
  readonly generation?: string;
  readonly parts?: number;
  readonly body?: { readonly parts: number; readonly part_bytes: number };
}

/** What to store of a cube: in its item, and in parts beside it. */
export interface Layout {
  readonly item: Omit<CubeItem, "generation">;
  readonly parts: readonly Uint8Array[];
}

/** A cube to be stored. `head`: the length of its head, where it has a body that may be left unread. */
interface Encoded {
  readonly bytes: Uint8Array;
  readonly head?: number | undefined;
}

/**
 * How to lay out cubes that are switched to in one transaction: no item too large, all together within the transaction. The
 * largest leave their items.
 */
export function layOut<Cube extends Encoded>(cubes: readonly Cube[], sizes: LayoutSizes): Map<Cube, Layout> {
  const layouts = new Map<Cube, Layout>();
  const cut = cubes.map((cube) => ({ cube, ...behead(cube, sizes) }));
  let room = MAX_ITEMS_BYTES;
  for (const { cube, first, body } of cut.sort((a, b) => a.first.length - b.first.length)) {
    room -= first.length;
    const inItem = first.length <= sizes.maxPartBytes && room >= 0;
    const parts = inItem ? [] : pieces(first, sizes.maxPartBytes);
    const bodyParts = pieces(body, sizes.bodyPartBytes);
    layouts.set(cube, {
      item: {
        ...(inItem ? { cube: first } : { parts: parts.length }),
        ...(body.length > 0 ? { body: { parts: bodyParts.length, part_bytes: sizes.bodyPartBytes } } : {}),
      },
      parts: [...parts, ...bodyParts],
    });
  }
  return layouts;
}

/** The numbers of the parts that hold a slice of a body that begins at `bodyAt` of its cube, and the slice cut out of them. */
export function partsOf(
  { from, to }: Pick<CubeSlice, "from" | "to">,
  { bodyAt, firstPart, partBytes }: { bodyAt: number; firstPart: number; partBytes: number },
) {
  const first = Math.floor((from - bodyAt) / partBytes);
  const last = Math.floor((to - 1 - bodyAt) / partBytes);
  const start = from - bodyAt - first * partBytes;
  return {
    numbers: Array.from({ length: last - first + 1 }, (_, i) => firstPart + first + i),
    cutOut: (parts: readonly Uint8Array[]): Uint8Array =>
      (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)).subarray(start, start + to - from),
  };
}

function behead({ bytes, head = bytes.length }: Encoded, { maxInlineBodyBytes }: LayoutSizes) {
  const cut = bytes.length - head > maxInlineBodyBytes ? head : bytes.length;
  return { first: bytes.subarray(0, cut), body: bytes.subarray(cut) };
}

const pieces = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
