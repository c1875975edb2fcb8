import { pack, unpack } from "../codec";
import { type PackedSet, packedSet, unionPacked } from "../visitor-set";
import type { Facet } from "./facet";
import { type Columns, FigureTable, OTHER } from "./figure-table";

/** What `/v1/pages` is made of: additive figures by path, and who viewed each. */
export interface PagesCube {
  readonly rows: FigureTable<PageField>;
  /** Those with a page view of the path. Sets stay packed: a cube has thousands, and an answer wants a few. */
  readonly visitors: ReadonlyMap<string, PackedSet>;
}

/**
 * `entries`: visits that began on the page; `bounces`: those of them without a second page view or a conversion.
 * `timed`: page views that reported visible time; `visibleMs`: what they reported.
 */
export type PageField = (typeof FIELDS)[number];

export type PageRow = { readonly path: string } & Readonly<Record<PageField, number>>;

/** A row with the number of distinct visitors who viewed the page. */
export type CountedPage = PageRow & { readonly visitors: number };

/** What the head of a stored cube tells without its body. */
export interface PagesHead {
  readonly rows: Columns;
  /** Where in the cube's bytes the set of each path lies: from (inclusive), to (exclusive). */
  sets(): Iterable<readonly [path: string, from: number, to: number]>;
}

const FIELDS = ["pageviews", "entries", "bounces", "timed", "visibleMs"] as const;

export const pageRows = (): FigureTable<PageField> => new FigureTable(FIELDS);

/**
 * A stored cube is the length of its head, the head and the body. The head has the figures of all rows; the body the sets,
 * in the order of rank, so that those an answer is likely to want lie side by side at its front.
 */
export const pages: Facet<PagesCube> = {
  name: "pages",

  fold({ visits, pageviews, attentions, engaged }) {
    if (visits.length + pageviews.length + attentions.length === 0) return null;
    const rows = pageRows();
    for (const { path, visit } of visits) {
      const row = rows.at([path]);
      row.entries++;
      if (!engaged.has(visit)) row.bounces++;
    }
    for (const { path } of pageviews) rows.at([path]).pageviews++;
    for (const { path, visibleMs } of attentions) {
      const row = rows.at([path]);
      row.timed++;
      row.visibleMs += visibleMs;
    }
    const viewers = Map.groupBy(pageviews, ({ path }) => path);
    return {
      rows,
      visitors: new Map(
        [...viewers].map(([path, some]) => [path, packedSet(some.map(({ visitor }) => visitor))]),
      ),
    };
  },

  merge(cubes) {
    const rows = pageRows();
    for (const cube of cubes) rows.addAll(cube.rows);
    return { rows, visitors: united(cubes.flatMap(({ visitors }) => [...visitors])) };
  },

  bound(cube) {
    const rows = cube.rows.bounded([["pageviews"]], () => [OTHER]);
    if (rows === cube.rows) return cube;
    const kept = new Set(rows.entries().map(({ key: [path = ""] }) => path));
    return {
      rows,
      visitors: united([...cube.visitors].map(([path, set]) => [kept.has(path) ? path : OTHER, set])),
    };
  },

  encode({ rows, visitors }) {
    const ranked = ranking(rows);
    const sets = ranked.map(({ path }) => visitors.get(path) ?? NOBODY);
    const head = pack({
      v: 1,
      paths: ranked.map(({ path }) => path),
      values: FIELDS.map((field) => ranked.map((row) => row[field])),
      sizes: sets.map((set) => set.length),
    });
    const length = new DataView(new ArrayBuffer(HEAD_AT));
    length.setUint32(0, head.length);
    return Buffer.concat([new Uint8Array(length.buffer), head, ...sets]);
  },

  headOf: ({ buffer, byteOffset }) => HEAD_AT + new DataView(buffer, byteOffset).getUint32(0),

  decode(bytes) {
    const head = readPagesHead(bytes);
    const visitors = [...head.sets()].map(([path, from, to]) => [path, bytes.subarray(from, to)] as const);
    return { rows: pageRows().load(head.rows), visitors: new Map(visitors) };
  },
};

/** Reads the head of a cube as {@link pages} encodes it. What follows the head is not looked at and may be missing. */
export function readPagesHead(bytes: Uint8Array): PagesHead {
  const bodyAt = pages.headOf?.(bytes) ?? bytes.length;
  const { paths, values, sizes } = unpack(bytes.subarray(HEAD_AT, bodyAt)) as {
    paths: string[];
    values: number[][];
    sizes: number[];
  };
  return {
    rows: { keys: [paths], values },
    *sets() {
      let at = bodyAt;
      for (const [i, path] of paths.entries()) {
        const from = at;
        at += sizes[i] ?? 0;
        if (at > from) yield [path, from, at];
      }
    },
  };
}

/** The rows by page views, largest first, then by path (decisions: "Row order"). */
export const ranking = (rows: FigureTable<PageField>): PageRow[] =>
  rows
    .entries()
    .map(({ key: [path = ""], figures }) => ({ path, ...figures }))
    .sort((a, b) => b.pageviews - a.pageviews || (a.path < b.path ? -1 : 1));

const HEAD_AT = 4;
const NOBODY: PackedSet = new Uint8Array();

function united(sets: Iterable<readonly [path: string, set: PackedSet]>): Map<string, PackedSet> {
  const byPath = Map.groupBy(sets, ([path]) => path);
  return new Map([...byPath].map(([path, some]) => [path, unionPacked(some.map(([, set]) => set))]));
}
