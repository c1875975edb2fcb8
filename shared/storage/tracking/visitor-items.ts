import * as z from "zod";
import { readTouch } from "../../domain/attribution/touch";
import type { Visitor, VisitRecord, VisitReference } from "../../ports/visitors";
import type { Item } from "../batch-get";

/** How visitors, visits and pointers to visits look in the Identity table, both ways. What is read is parsed. */

const visitorSchema = z.object({
  evid: z.string(),
  number: z.int().positive(),
  first_visit: z.string(),
  first_at: z.int(),
});

export const toVisitorItem = ({ evid, number, firstVisit }: Visitor): Item => ({
  evid,
  number,
  first_visit: firstVisit.visit,
  first_at: firstVisit.at,
});

export function fromVisitorItem(item: Item): Visitor {
  const { evid, number, first_visit, first_at } = visitorSchema.parse(item);
  return { evid, number, firstVisit: { visit: first_visit, at: first_at } };
}

const browserIdsSchema = z.object({
  fbp: z.string().optional(),
  fbc: z.string().optional(),
  ttp: z.string().optional(),
  ga: z.string().optional(),
});

const visitSchema = z.object({
  visit: z.string(),
  at: z.int(),
  source: z.string(),
  channel: z.string(),
  rule: z.string(),
  rules: z.int(),
  path: z.string(),
  landing: z.string(),
  referrer: z.string().optional(),
  country: z.string(),
  gpc: z.boolean().default(false),
  ids: browserIdsSchema.default({}),
});

/** UTM and click ids are not stored beside the landing address they are read from: an item stays under one write unit. */
export const toVisitItem = (record: VisitRecord): Item => ({
  visit: record.visit,
  at: record.at,
  source: record.source,
  channel: record.channel,
  rule: record.rule,
  rules: record.rulesVersion,
  path: record.path,
  landing: record.touch.landingUrl,
  country: record.country,
  ...(record.touch.referrer === null ? {} : { referrer: record.touch.referrer }),
  ...(record.gpc ? { gpc: true } : {}),
  ...(Object.values(record.browserIds).some((id) => id !== undefined) ? { ids: record.browserIds } : {}),
});

export function fromVisitItem(item: Item): VisitRecord {
  const { rules, landing, referrer, ids, ...rest } = visitSchema.parse(item);
  return { ...rest, rulesVersion: rules, touch: readTouch(landing, referrer ?? null), browserIds: ids };
}

const referenceSchema = z.object({ evid: z.string(), visit: z.string(), at: z.int() });

export const toReferenceItem = ({ evid, visit, at }: VisitReference): Item => ({ evid, visit, at });
export const fromReferenceItem = (item: Item): VisitReference => referenceSchema.parse(item);
