import type { Money } from "../../money";
import { pack, unpack } from "../codec";
import type { QuarterFacts } from "../quarter-facts";
import { EMPTY_SET, packSet, union, unpackSet, type VisitorSet, visitorSet } from "../visitor-set";
import type { Facet } from "./facet";
import { OriginTable } from "./origin-table";

/** What `/v1/overview` is made of: additive figures by source and channel, and who was there. */
export interface TrafficCube {
  readonly rows: OriginTable<TrafficRow>;
  /** Visitors with a visit or page view in the bucket. */
  readonly visitors: VisitorSet;
}

export interface TrafficRow {
  /** Visits that began in the bucket. */
  sessions: number;
  pageviews: number;
  /** Conversions of type Lead. */
  leads: number;
  purchases: number;
  /** Of purchases. */
  revenue: Money;
}

const FIELDS = ["sessions", "pageviews", "leads", "purchases", "revenue"] as const;
const zero = (): TrafficRow => ({
  sessions: 0,
  pageviews: 0,
  leads: 0,
  purchases: 0,
  revenue: 0,
});
const newTable = () => new OriginTable(FIELDS, zero);

export const traffic: Facet<TrafficCube> = {
  name: "traffic",

  fold({ visits, pageviews, conversions }: QuarterFacts) {
    const counted = conversions.filter((fact) => fact.type === "Lead" || fact.type === "Purchase");
    if (visits.length + pageviews.length + counted.length === 0) return null;
    const rows = newTable();
    for (const visit of visits) rows.at(visit).sessions++;
    for (const pageview of pageviews) rows.at(pageview).pageviews++;
    for (const conversion of counted) {
      const row = rows.at(conversion);
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
    const rows = newTable();
    for (const cube of cubes) rows.addAll(cube.rows);
    return {
      rows,
      visitors: cubes.length ? union(cubes.map((cube) => cube.visitors)) : EMPTY_SET,
    };
  },

  bound: (cube) => ({
    ...cube,
    rows: cube.rows.bounded([
      ["revenue", "purchases", "leads"],
      ["sessions", "pageviews"],
    ]),
  }),

  encode: ({ rows, visitors }) => pack({ v: 1, rows: rows.toColumns(), visitors: packSet(visitors) }),

  decode(bytes) {
    const { rows, visitors } = unpack(bytes) as {
      rows: ReturnType<OriginTable<TrafficRow>["toColumns"]>;
      visitors: Uint8Array;
    };
    return { rows: newTable().load(rows), visitors: unpackSet(visitors) };
  },
};
