import type { ConversionFact, TrafficFact } from "../../shared/domain/analytics/fact";
import { DAY, HOUR, type Instant, MINUTE } from "../../shared/domain/instant";

/** A believable site of any size: the same size gives the same facts. */
export interface SiteShape {
  readonly pageviews: number;
  readonly days: number;
  readonly from: Instant;
}

export interface DayOfFacts {
  readonly traffic: TrafficFact[];
  readonly conversions: ConversionFact[];
}

const VIEWS_PER_VISIT = 3;
const VISITS_PER_VISITOR = 10 / 3;
const CONVERSIONS_PER_VIEW = 0.01;
const COUNTRIES = [
  "US",
  "DE",
  "GB",
  "FR",
  "IN",
  "BR",
  "CA",
  "ES",
  "IT",
  "NL",
  "PL",
  "SE",
  "JP",
  "AU",
  "MX",
  "CH",
];
const ORIGINS = [
  ["google", "Paid Search", 22],
  ["google", "Organic Search", 24],
  ["(direct)", "Direct", 18],
  ["facebook", "Paid Social", 14],
  ["instagram", "Paid Social", 6],
  ["bing", "Organic Search", 4],
  ["newsletter", "Email", 4],
  ["tiktok", "Paid Social", 3],
  ["youtube", "Organic Video", 2],
  ["chatgpt", "AI Assistants", 1],
  ["linkedin", "Organic Social", 1],
  ["partner.example", "Referral", 1],
] as const;
const PATHS = 2_000;

/** One day of facts after the other. Visitors are numbered in the order they first came, as the traffic writer numbers them. */
export function* daysOfFacts({ pageviews, days, from }: SiteShape): Generator<DayOfFacts> {
  const random = mulberry(pageviews);
  const visitsPerDay = Math.round(pageviews / VIEWS_PER_VISIT / days);
  const newShare = 1 / VISITS_PER_VISITOR;
  let visitors = 0;
  let visits = 0;
  let conversions = 0;
  for (let day = 0; day < days; day++) {
    const traffic: TrafficFact[] = [];
    const sales: ConversionFact[] = [];
    for (let i = 0; i < visitsPerDay; i++) {
      const at = from + day * DAY + timeOfDay(random);
      const isFirst = visitors < 10 || random() < newShare;
      const visitor = isFirst ? ++visitors : returning(random, visitors);
      const [source, channel] = pick(ORIGINS, random);
      const country = COUNTRIES[Math.floor(random() ** 2 * COUNTRIES.length)] ?? "US";
      const visit = `${(++visits).toString(36).padStart(5, "0")}${Math.floor(random() * 2 ** 40).toString(36)}`;
      const context = { visit, visitor, source, channel, country };
      const views = 1 + Math.floor(random() * (2 * VIEWS_PER_VISIT - 1));
      for (let view = 0; view < views; view++) {
        const path = `/p/${Math.floor(random() ** 3 * PATHS)}`;
        const seen = Math.min(at + view * 45_000, from + (day + 1) * DAY - 1);
        if (view === 0) traffic.push({ kind: "visit", ...context, at, path, isFirst });
        if (view === 1) traffic.push({ kind: "engagement", visit, at });
        const id = Math.floor(random() * 2 ** 40).toString(36);
        traffic.push({ kind: "pageview", ...context, at: seen, id, path });
        if (random() < 0.8) {
          traffic.push({
            kind: "attention",
            visit,
            at: seen,
            id,
            path,
            visibleMs: Math.floor(random() * 60_000),
          });
        }
      }
      if (random() < CONVERSIONS_PER_VIEW * VIEWS_PER_VISIT) {
        const isPurchase = random() < 0.5;
        sales.push({
          kind: "conversion",
          id: `evt_${String(++conversions).padStart(26, "0")}`,
          version: 1,
          at,
          type: isPurchase ? "Purchase" : "Lead",
          name: isPurchase ? "Purchase" : "Lead",
          visitor,
          source,
          channel,
          value: isPurchase ? 1_000 * Math.floor(10 + random() * 200) : 0,
          products: [],
        });
      }
    }
    yield { traffic, conversions: sales };
  }
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

function pick(options: typeof ORIGINS, random: () => number): (typeof ORIGINS)[number] {
  let left = random() * 100;
  for (const option of options) {
    left -= option[2];
    if (left < 0) return option;
  }
  return options[0];
}

/** A small generator of numbers in [0, 1) that can be started again (mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
