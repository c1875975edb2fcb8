import { type Bucket, bucketAt, bucketEnd, bucketId, type Level } from "../domain/analytics/bucket";
import { untrustedBy } from "../domain/analytics/plan";
import type { Instant } from "../domain/instant";
import type { CubeStore, FacetsOf, FactReader, MarkerReader } from "../ports/analytics";
import { countCubes } from "./count-cubes";

export interface VerifierDependencies {
  readonly markers: MarkerReader;
  readonly facts: FactReader;
  readonly cubes: Pick<CubeStore, "read">;
  readonly facetsOf: FacetsOf;
}

/** A bucket that readers are served another cube of than its facts make. */
export interface Difference {
  readonly facet: string;
  readonly bucket: Bucket;
  /** By the facts alone, as the facet encodes it; null when they make none. */
  readonly counted: Uint8Array | null;
  /** Null when there is none. */
  readonly served: Uint8Array | null;
}

export interface Verification {
  /** Cubes that are what their facts make. */
  readonly equal: number;
  readonly differences: readonly Difference[];
}

export interface Verifier {
  /**
   * Folds every fact of a site anew and compares with the cubes readers trust, byte for byte: each quarter, day and month,
   * by facet, those of saved funnels as far as they are built. Marked buckets have no cube that anybody trusts. `onMonth` is told each UTC month with facts when it is
   * done. The site may be read and written meanwhile.
   */
  verify(site: number, onMonth?: (month: Instant) => void): Promise<Verification>;
}

/** A late fact may arrive between the two readings. A cube that differs every time is wrong. */
const ATTEMPTS = 3;
const LEVELS: readonly Level[] = ["quarter", "day", "month"];

/** Invariant 1, held against the tables as they are: what the read API serves is a pure function of facts. */
export function createVerifier({ markers, facts, cubes, facetsOf }: VerifierDependencies): Verifier {
  async function compareMonth(site: number, month: Bucket): Promise<Verification> {
    const { markers: marked, builtFrom } = await markers.trust(site);
    const untrusted = untrustedBy(marked.map(({ bucket }) => bucket));
    const facets = (await facetsOf(site)).facets.filter(
      ({ isAdded, name }) => !isAdded || (builtFrom.get(name) ?? Number.POSITIVE_INFINITY) <= month.start,
    );
    const days = (await facts.days(site)).filter((day) => bucketAt("month", day).start === month.start);
    const recounted = await countCubes({ facts, facets }, site, days);
    let equal = 0;
    const differences: Difference[] = [];
    for (const { name: facet } of facets) {
      for (const level of LEVELS) {
        const run = { level, from: month.start, to: bucketEnd(month) };
        const [counted, served] = await Promise.all([
          recounted.read(site, facet, run).then(byStart),
          cubes.read(site, facet, run).then(byStart),
        ]);
        for (const start of new Set([...counted.keys(), ...served.keys()])) {
          const both = { counted: counted.get(start) ?? null, served: served.get(start) ?? null };
          if (untrusted.has(bucketId({ level, start }))) continue;
          if (same(both)) equal++;
          else differences.push({ facet, bucket: { level, start }, ...both });
        }
      }
    }
    return { equal, differences };
  }

  async function verifyMonth(site: number, month: Bucket): Promise<Verification> {
    for (let attempt = 1; ; attempt++) {
      const verification = await compareMonth(site, month);
      if (verification.differences.length === 0 || attempt === ATTEMPTS) return verification;
    }
  }

  return {
    async verify(site, onMonth = () => {}) {
      const months = new Set((await facts.days(site)).map((day) => bucketAt("month", day).start));
      const done: Verification[] = [];
      for (const start of months) {
        done.push(await verifyMonth(site, { level: "month", start }));
        onMonth(start);
      }
      return {
        equal: done.reduce((sum, { equal }) => sum + equal, 0),
        differences: done.flatMap(({ differences }) => differences),
      };
    },
  };
}

const byStart = (read: readonly { start: Instant; bytes: Uint8Array }[]): Map<Instant, Uint8Array> =>
  new Map(read.map(({ start, bytes }) => [start, bytes]));

const same = ({ counted, served }: Pick<Difference, "counted" | "served">): boolean =>
  counted !== null && served !== null && Buffer.compare(counted, served) === 0;
