import type { Facet } from "../domain/analytics/facets/facet";
import { type Interval, type Piece, plan } from "../domain/analytics/plan";
import { dedupe } from "../domain/analytics/quarter-facts";
import type { Instant } from "../domain/instant";
import type { CubeStore, FactReader, Marker, MarkerReader } from "../ports/analytics";

export interface CubeReaderDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  readonly cubes: CubeStore;
}

export interface CubeReader {
  /** Begins to read what {@link read} needs first; hand it over there, or leave it. */
  markers(site: number, signal?: AbortSignal): Promise<Marker[]>;
  /**
   * The cube of a facet over an interval whose ends lie on quarter hours. It holds every fact whose write was
   * acknowledged before the markers were read. Bounded like a stored cube, so that no answer outgrows a response. Cost depends on the number of buckets in the interval, not of facts (architecture: invariant 7).
   */
  read<Cube>(request: ReadRequest<Cube>): Promise<Cube>;
  /** The cubes that {@link read} merges, in the order of time and as they are. */
  inOrder<Cube>(request: ReadRequest<Cube>): Promise<Cube[]>;
}

export interface ReadRequest<Cube> {
  readonly site: number;
  readonly facet: Facet<Cube>;
  readonly interval: Interval;
  readonly signal?: AbortSignal;
  /** From {@link CubeReader.markers}, when already begun. */
  readonly markers?: Promise<Marker[]>;
}

/** The reading half of the marker protocol (architecture: "Read"). */
export function createCubeReader({ markers, facts, cubes }: CubeReaderDependencies): CubeReader {
  async function readPiece<Cube>(
    { site, facet, signal }: ReadRequest<Cube>,
    piece: Piece,
  ): Promise<{ start: Instant; cube: Cube }[]> {
    const { source, from, to } = piece;
    if (source !== "facts") {
      const found = await cubes.read(site, facet.name, { level: source, from, to }, signal);
      return found.map(({ start, bytes }) => ({ start, cube: facet.decode(bytes) }));
    }
    const byQuarter = await facts.read(site, from, to, signal);
    return [...byQuarter].flatMap(([start, some]) => {
      const cube = facet.fold(dedupe(some));
      return cube === null ? [] : [{ start, cube }];
    });
  }

  async function inOrder<Cube>(request: ReadRequest<Cube>): Promise<Cube[]> {
    const { site, interval, signal } = request;
    const marked = await (request.markers ?? markers.list(site, signal));
    const pieces = plan(
      interval,
      marked.map((marker) => marker.bucket),
    );
    const read = await Promise.all(pieces.map((piece) => readPiece(request, piece)));
    return read
      .flat()
      .sort((a, b) => a.start - b.start)
      .map(({ cube }) => cube);
  }

  return {
    markers: (site, signal) => markers.list(site, signal),
    inOrder,

    async read(request) {
      const { facet } = request;
      return facet.bound(facet.merge(await inOrder(request)));
    },
  };
}
