import type { Facet } from "../domain/analytics/facets/facet";
import { type Interval, type Piece, plan } from "../domain/analytics/plan";
import { dedupe } from "../domain/analytics/quarter-facts";
import type { Instant } from "../domain/instant";
import type { CubeStore, FactReader, MarkerReader, Run, Trust } from "../ports/analytics";
import { mapPooled } from "./pooled";

export interface CubeReaderDependencies {
  readonly markers: Pick<MarkerReader, "trust">;
  readonly facts: Pick<FactReader, "read">;
  readonly cubes: Pick<CubeStore, "read">;
}

export interface CubeReader {
  /** Begins to read what the other methods need first; hand it over there, or leave it. */
  trust(site: number, signal?: AbortSignal): Promise<Trust>;
  /**
   * The cube of a facet over an interval whose ends lie on quarter hours. It holds every fact whose write was
   * acknowledged before the markers were read. Bounded like a stored cube, so that no answer outgrows a response. Cost
   * depends on the number of buckets in the interval, not of facts (architecture: invariant 7).
   */
  read<Cube>(request: ReadRequest & { readonly facet: Facet<Cube> }): Promise<Cube>;
  /**
   * For each of the facets its cubes over the interval as {@link read} would merge them, in the order of time. Where
   * facets are not built yet, the facts are read once for all that lack the same.
   */
  inOrder<Cube>(request: ReadRequest & { readonly facets: readonly Facet<Cube>[] }): Promise<Cube[][]>;
}

export interface ReadRequest {
  readonly site: number;
  readonly interval: Interval;
  readonly signal?: AbortSignal;
  /** From {@link CubeReader.trust}, when already begun. */
  readonly trust?: Promise<Trust>;
}

/** Facets whose cubes are trusted alike, so that they are read by one plan. */
interface Alike {
  readonly facets: readonly Facet<unknown>[];
  readonly pieces: readonly Piece[];
}

interface DatedCube {
  readonly facet: string;
  readonly start: Instant;
  readonly cube: unknown;
}

/** Days of facts held at once: usually there are a few quarters to fold, but of a facet not built yet a year. */
const FACTS_AT_ONCE = 4;

/** The reading half of the marker protocol (architecture: "Read"). */
export function createCubeReader({ markers, facts, cubes }: CubeReaderDependencies): CubeReader {
  async function readCubes(
    { site, signal }: ReadRequest,
    facet: Facet<unknown>,
    run: Run,
  ): Promise<DatedCube[]> {
    const found = await cubes.read(site, facet.name, run, signal);
    return found.map(({ start, bytes }) => ({ facet: facet.name, start, cube: facet.decode(bytes) }));
  }

  async function foldFacts(
    { site, signal }: ReadRequest,
    facets: readonly Facet<unknown>[],
    { from, to }: Piece,
  ): Promise<DatedCube[]> {
    signal?.throwIfAborted();
    const byQuarter = await facts.read(site, from, to, signal);
    return [...byQuarter].flatMap(([start, some]) => {
      const input = dedupe(some);
      return facets.flatMap((facet) => {
        const cube = facet.fold(input);
        return cube === null ? [] : [{ facet: facet.name, start, cube }];
      });
    });
  }

  async function readAll(request: ReadRequest, groups: readonly Alike[]): Promise<DatedCube[]> {
    const toFold = groups.flatMap(({ facets, pieces }) =>
      pieces.filter(({ source }) => source === "facts").map((piece) => ({ facets, piece })),
    );
    const cubesRead = groups.flatMap(({ facets, pieces }) =>
      pieces.flatMap(({ source, from, to }) =>
        source === "facts"
          ? []
          : facets.map((facet) => readCubes(request, facet, { level: source, from, to })),
      ),
    );
    const folded = mapPooled(toFold, FACTS_AT_ONCE, ({ facets, piece }) => foldFacts(request, facets, piece));
    return (await Promise.all([...cubesRead, folded.then((some) => some.flat())])).flat();
  }

  async function inOrder<Cube>(
    request: ReadRequest & { readonly facets: readonly Facet<Cube>[] },
  ): Promise<Cube[][]> {
    const { site, interval, signal } = request;
    const { markers: marked, builtFrom } = await (request.trust ?? markers.trust(site, signal));
    const facets = request.facets as readonly Facet<unknown>[];
    const groups = Map.groupBy(facets, ({ name, isAdded }) =>
      isAdded ? (builtFrom.get(name) ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY,
    );
    const alike = [...groups].map(([from, facets]) => ({
      facets,
      pieces: plan(
        interval,
        marked.map(({ bucket }) => bucket),
        from,
      ),
    }));
    const byFacet = Map.groupBy(await readAll(request, alike), ({ facet }) => facet);
    return facets.map(({ name }) =>
      (byFacet.get(name) ?? []).sort((a, b) => a.start - b.start).map(({ cube }) => cube as Cube),
    );
  }

  return {
    trust: (site, signal) => markers.trust(site, signal),
    inOrder,
    async read(request) {
      const { facet } = request;
      const [cubes = []] = await inOrder({ ...request, facets: [facet] });
      return facet.bound(facet.merge(cubes));
    },
  };
}
