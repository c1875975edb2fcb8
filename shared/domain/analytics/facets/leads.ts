import { pack, unpack } from "../codec";
import type { Facet } from "./facet";
import { type Columns, FigureTable } from "./figure-table";
import { foldOrigin, originKey } from "./origins";

/** What `/v1/leads` is made of: conversions of type Lead by source and channel. */
export type LeadsCube = FigureTable<"leads">;

const FIELDS = ["leads"] as const;

export const leads: Facet<LeadsCube> = {
  name: "leads",

  fold({ conversions }) {
    const counted = conversions.filter((fact) => fact.type === "Lead");
    if (counted.length === 0) return null;
    const rows = new FigureTable(FIELDS);
    for (const lead of counted) rows.at(originKey(lead)).leads++;
    return rows;
  },

  merge(cubes) {
    const rows = new FigureTable(FIELDS);
    for (const cube of cubes) rows.addAll(cube);
    return rows;
  },

  bound: (cube) => cube.bounded([FIELDS], foldOrigin),
  encode: (cube) => pack({ v: 1, rows: cube.toColumns() }),
  decode: (bytes) => new FigureTable(FIELDS).load((unpack(bytes) as { rows: Columns }).rows),
};
