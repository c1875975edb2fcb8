import { pack, unpack } from "../codec";
import type { QuarterFacts } from "../quarter-facts";
import { EMPTY_SET, packSet, union, unpackSet, type VisitorSet, visitorSet } from "../visitor-set";
import type { Facet } from "./facet";
import { type Columns, FigureTable } from "./figure-table";
import { foldOrigin, originKey } from "./origins";

/** What `/v1/overview` is made of: additive figures by source and channel, and who was there. */
export interface TrafficCube {
  /**
   * `sessions`: visits that began in the bucket. `leads`: conversions of type Lead. `revenue` (Money): of purchases.
   */
  readonly rows: FigureTable<TrafficField>;
  /** Visitors with a visit or page view in the bucket. */
  readonly visitors: VisitorSet;
}

export type TrafficField = (typeof FIELDS)[number];

const FIELDS = ["sessions", "pageviews", "leads", "purchases", "revenue"] as const;

export const traffic: Facet<TrafficCube> = {
  name: "traffic",

  fold({ visits, pageviews, conversions }: QuarterFacts) {
    const counted = conversions.filter((fact) => fact.type === "Lead" || fact.type === "Purchase");
    if (visits.length + pageviews.length + counted.length === 0) return null;
    const rows = new FigureTable(FIELDS);
    for (const visit of visits) rows.at(originKey(visit)).sessions++;
    for (const pageview of pageviews) rows.at(originKey(pageview)).pageviews++;
    for (const conversion of counted) {
      const row = rows.at(originKey(conversion));
      if (conversion.type === "Lead") row.leads++;
      else {
        row.purchases++;
        row.revenue += conversion.value;
      }
    }
    const visitors = new Set([...visits, ...pageviews].map((fact) => fact.visitor));
    return { rows, visitors: visitorSet(visitors) };
  },

  merge(cubes) {
    const rows = new FigureTable(FIELDS);
    for (const cube of cubes) rows.addAll(cube.rows);
    return { rows, visitors: cubes.length ? union(cubes.map((cube) => cube.visitors)) : EMPTY_SET };
  },

  bound: ({ rows, visitors }) => ({ rows: rows.bounded(RANKINGS, foldOrigin), visitors }),

  encode: ({ rows, visitors }) => pack({ v: 1, rows: rows.toColumns(), visitors: packSet(visitors) }),

  decode(bytes) {
    const { rows, visitors } = unpack(bytes) as { rows: Columns; visitors: Uint8Array };
    return { rows: new FigureTable(FIELDS).load(rows), visitors: unpackSet(visitors) };
  },
};

const RANKINGS: readonly (readonly TrafficField[])[] = [
  ["revenue", "purchases", "leads"],
  ["sessions", "pageviews"],
];
