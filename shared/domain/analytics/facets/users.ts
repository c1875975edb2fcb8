import { pack, unpack } from "../codec";
import type { Facet } from "./facet";
import { OTHER } from "./figure-table";
import { foldOrigin, originKey } from "./origins";
import { type SetColumns, SetTable } from "./set-table";

/** What `/v1/users` is made of: who was there, by source and channel and by country. */
export interface UsersCube {
  readonly sources: SetTable;
  readonly countries: SetTable;
  /** Visitors whose first ever visit began in the bucket: each in one bucket only, so a count is enough. */
  readonly newcomers: number;
}

export const users: Facet<UsersCube> = {
  name: "users",

  fold({ visits, pageviews }) {
    const seen = [...visits, ...pageviews];
    if (seen.length === 0) return null;
    return {
      sources: SetTable.of(seen.map((fact) => [originKey(fact), fact.visitor] as const)),
      countries: SetTable.of(seen.map((fact) => [[fact.country], fact.visitor] as const)),
      newcomers: new Set(visits.filter((visit) => visit.isFirst).map((visit) => visit.visitor)).size,
    };
  },

  merge: (cubes) => ({
    sources: SetTable.union(cubes.map((cube) => cube.sources)),
    countries: SetTable.union(cubes.map((cube) => cube.countries)),
    newcomers: cubes.reduce((sum, cube) => sum + cube.newcomers, 0),
  }),

  bound: ({ sources, countries, newcomers }) => ({
    sources: sources.bounded(foldOrigin),
    countries: countries.bounded(() => [OTHER]),
    newcomers,
  }),

  encode: ({ sources, countries, newcomers }) =>
    pack({ v: 1, sources: sources.toColumns(), countries: countries.toColumns(), newcomers }),

  decode(bytes) {
    const { sources, countries, newcomers } = unpack(bytes) as {
      sources: SetColumns;
      countries: SetColumns;
      newcomers: number;
    };
    return { sources: SetTable.from(sources), countries: SetTable.from(countries), newcomers };
  },
};
