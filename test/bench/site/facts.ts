import {
  type ConversionFact,
  type ProductLine,
  type TrafficFact,
  UNATTRIBUTED,
} from "../../../shared/domain/analytics/fact";
import { DAY, HOUR, type Instant, MINUTE } from "../../../shared/domain/instant";
import { mulberry, scattered, weighted, zipf } from "../random";
import { CONVERSIONS, COUNTRIES, ORIGINS, PATHS, PRODUCTS } from "./catalogue";

/** A believable site of any size: the same shape gives the same facts. */
export interface SiteShape {
  readonly pageviews: number;
  readonly days: number;
  readonly from: Instant;
  /** Nothing is recorded from here on: the last day is not over. */
  readonly until: Instant;
}

/** What is recorded of one UTC day. No fact comes twice. */
export interface DayOfFacts {
  readonly start: Instant;
  readonly traffic: TrafficFact[];
  readonly conversions: ConversionFact[];
}

const VIEWS_PER_VISIT = 3;
const VISITS_PER_VISITOR = 10 / 3;
const VISITS_THAT_CONVERT = 0.03;
/** Conversions whom no visit was found for. */
const UNKNOWN_SHARE = 0.05;
/** Visits from a country that is not the visitor's. */
const AWAY_SHARE = 0.02;
const ATTENTIVE_SHARE = 0.8;
/** Purchases that say what was bought. */
const ITEMISED_SHARE = 0.8;
const READING = 45_000;

const originAt = weighted(ORIGINS, ({ share }) => share);
const conversionAt = weighted(CONVERSIONS, ({ share }) => share);
const countryAt = zipf(COUNTRIES);
const pathAt = zipf(PATHS);
const productAt = zipf(PRODUCTS);

/** One day of facts after the other. Visitors are numbered in the order they first came, as the traffic writer numbers them. */
export function* daysOfFacts({ pageviews, days, from, until }: SiteShape): Generator<DayOfFacts> {
  const random = mulberry(pageviews);
  const visitsPerDay = Math.round(pageviews / VIEWS_PER_VISIT / days);
  let visitors = 0;
  let visits = 0;
  let events = 0;
  for (let day = 0; day < days; day++) {
    const start = from + day * DAY;
    const lastInstant = start + DAY - 1;
    const traffic: TrafficFact[] = [];
    const conversions: ConversionFact[] = [];
    for (let i = 0; i < visitsPerDay; i++) {
      const at = start + timeOfDay(random);
      const isFirst = visitors < 10 || random() < 1 / VISITS_PER_VISITOR;
      const visitor = isFirst ? ++visitors : returning(random, visitors);
      const { source, channel } = originAt(random());
      const country = countryAt(random() < AWAY_SHARE ? random() : scattered(visitor));
      const visit = `${(++visits).toString(36).padStart(5, "0")}${Math.floor(random() * 2 ** 40).toString(36)}`;
      const context = { visit, visitor, source, channel, country };
      const views = 1 + Math.floor(random() * (2 * VIEWS_PER_VISIT - 1));
      for (let view = 0; view < views; view++) {
        const path = pathAt(random());
        const seen = Math.min(at + view * READING, lastInstant);
        if (view === 0) traffic.push({ kind: "visit", ...context, at, path, isFirst });
        const id = Math.floor(random() * 2 ** 40).toString(36);
        traffic.push({ kind: "pageview", ...context, at: seen, id, path });
        if (random() < ATTENTIVE_SHARE) {
          const visibleMs = Math.floor(random() * 60_000);
          traffic.push({ kind: "attention", visit, at: seen, id, path, visibleMs });
        }
      }
      const converts = random() < VISITS_THAT_CONVERT;
      const isKnown = converts && random() >= UNKNOWN_SHARE;
      if (views > 1 || isKnown) traffic.push({ kind: "engagement", visit, at });
      if (converts) {
        conversions.push({
          kind: "conversion",
          id: `evt_${String(++events).padStart(26, "0")}`,
          version: 1,
          at: Math.min(at + views * READING, lastInstant),
          ...(isKnown ? { visitor, source, channel } : { visitor: null, ...UNATTRIBUTED }),
          ...sale(random),
        });
      }
    }
    yield {
      start,
      traffic: traffic.filter((fact) => fact.at < until),
      conversions: conversions.filter((fact) => fact.at < until),
    };
  }
}

function sale(random: () => number): Pick<ConversionFact, "type" | "name" | "value" | "products"> {
  const { type, name } = conversionAt(random());
  if (type !== "Purchase") return { type, name, value: 0, products: [] };
  const products = Array.from({ length: 1 + Math.floor(random() * 3) }, (): ProductLine => {
    const { sku, name, price } = productAt(random());
    const units = 1 + Math.floor(random() * 3);
    return { sku, name, units, revenue: units * price };
  });
  const value = products.reduce((sum, { revenue }) => sum + revenue, 0);
  return { type, name, value, products: random() < ITEMISED_SHARE ? products : [] };
}

/** Most come back soon. */
function returning(random: () => number, visitors: number): number {
  const recent = Math.max(1, Math.floor(visitors * 0.1));
  return random() < 0.7 ? visitors - Math.floor(random() * recent) : 1 + Math.floor(random() * visitors);
}

/** Busy in the afternoon, quiet at night. */
function timeOfDay(random: () => number): number {
  const hour = (random() + random() + random()) * 8;
  return Math.min(DAY - MINUTE, Math.floor(hour * HOUR));
}
