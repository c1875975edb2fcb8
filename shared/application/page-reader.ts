import {
  type CountedPage,
  type PageRow,
  type PagesCube,
  type PagesHead,
  pageRows,
  pages,
  ranking,
  readPagesHead,
} from "../domain/analytics/facets/pages";
import { type Interval, type Piece, plan } from "../domain/analytics/plan";
import { dedupe } from "../domain/analytics/quarter-facts";
import { countPacked, type PackedSet } from "../domain/analytics/visitor-set";
import type { CubeHead, CubeStore, FactReader, Trust } from "../ports/analytics";
import { againWhileTorn } from "../ports/torn-cube";
import { mapPooled } from "./pooled";

export interface PageReader {
  /**
   * The `limit` pages of most page views in an interval whose ends lie on quarter hours, with the exact number of their
   * distinct visitors; ordered by page views, largest first, then path. They hold every fact whose write was acknowledged
   * before the markers were read. Figures are read of all pages, sets of visitors of those answered alone: two steps, one
   * after the other, whatever the interval and the traffic.
   */
  top(request: PageRequest): Promise<CountedPage[]>;
}

interface PageRequest {
  readonly site: number;
  readonly interval: Interval;
  readonly limit: number;
  readonly trust: Promise<Trust>;
  readonly signal?: AbortSignal;
}

/** A stored cube of which the head was read. */
interface SealedPages {
  readonly cube: CubeHead;
  readonly head: PagesHead;
}

interface Dependencies {
  readonly facts: FactReader;
  readonly cubes: CubeStore;
}

/** Days of facts held at once. */
const FACTS_AT_ONCE = 4;

/** Reads the facet `pages` in part. */
export function createPageReader({ facts, cubes }: Dependencies): PageReader {
  async function foldFacts({ site, signal }: PageRequest, { from, to }: Piece): Promise<PagesCube[]> {
    signal?.throwIfAborted();
    const byQuarter = await facts.read(site, from, to, signal);
    return [...byQuarter.values()].flatMap((some) => pages.fold(dedupe(some)) ?? []);
  }

  async function readHeads({ site, signal }: PageRequest, pieces: readonly Piece[]): Promise<SealedPages[]> {
    const found = await Promise.all(
      pieces.map(({ source, from, to }) =>
        source === "facts" ? [] : cubes.readHeads(site, pages.name, { level: source, from, to }, signal),
      ),
    );
    return found.flat().map((cube) => ({ cube, head: readPagesHead(cube.bytes) }));
  }

  /** The rows with the distinct visitors of each, for which their slices of the sealed cubes are read. */
  async function withVisitors(
    { site, signal }: PageRequest,
    rows: readonly PageRow[],
    open: readonly PagesCube[],
    sealed: readonly SealedPages[],
  ): Promise<CountedPage[]> {
    const sets = new Map<string, PackedSet[]>(rows.map(({ path }) => [path, []]));
    for (const { visitors } of open) for (const [path, set] of visitors) sets.get(path)?.push(set);
    const slices = sealed.flatMap(({ cube, head }) =>
      [...head.sets()].flatMap(([path, from, to]) => (sets.has(path) ? [{ path, cube, from, to }] : [])),
    );
    const read = await cubes.readSlices(site, pages.name, slices, signal);
    for (const [{ path }, set] of read) sets.get(path)?.push(set);
    return rows.map((row) => ({ ...row, visitors: countPacked(sets.get(row.path) ?? []) }));
  }

  return {
    async top(request) {
      const marked = (await request.trust).markers.map(({ bucket }) => bucket);
      const pieces = plan(request.interval, marked);
      const toFold = pieces.filter(({ source }) => source === "facts");
      const folded = mapPooled(toFold, FACTS_AT_ONCE, (piece) => foldFacts(request, piece));
      return againWhileTorn(async () => {
        const [live, sealed] = await Promise.all([folded, readHeads(request, pieces)]);
        const open = live.flat();
        const top = ranking(figuresOf(open, sealed)).filter(({ pageviews }) => pageviews > 0);
        return withVisitors(request, top.slice(0, request.limit), open, sealed);
      });
    },
  };
}

function figuresOf(open: readonly PagesCube[], sealed: readonly SealedPages[]) {
  const rows = pageRows();
  for (const { head } of sealed) rows.load(head.rows);
  for (const cube of open) rows.addAll(cube.rows);
  return rows;
}
