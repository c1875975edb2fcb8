import { createHash } from "node:crypto";
import { DAY, HOUR, type Instant, MINUTE, SECOND } from "../../../shared/domain/instant";

/**
 * Two months in the life of the demo shop, told as visits and conversions. A function of its first day: told again,
 * it is the same to the last id, so that a run cut short can go on where it was.
 */
export interface Story {
  readonly days: readonly StoryDay[];
}

/** What happens on one UTC day, each list in the order of time. */
export interface StoryDay {
  readonly start: Instant;
  readonly visits: readonly StoryVisit[];
  readonly conversions: readonly StoryConversion[];
}

export interface StoryVisit {
  readonly evid: string;
  readonly id: string;
  readonly at: Instant;
  readonly country: string;
  readonly landingUrl: string;
  readonly referrer: string | null;
  readonly views: readonly {
    readonly id: string;
    readonly path: string;
    readonly at: Instant;
    readonly visibleMs: number;
  }[];
}

export interface StoryConversion {
  readonly at: Instant;
  readonly type: "Lead" | "Purchase";
  /** The body the shop's tool posts. */
  readonly payload: Record<string, string | number | object>;
}

export const STORY_DAYS = 60;
const VISITORS = 1_200;
const SHOP = "http://localhost/shop";

const PRODUCTS = [
  { sku: "mug", name: "Stone mug", price: 24, share: 0.55 },
  { sku: "kettle", name: "Iron kettle", price: 89, share: 0.27 },
  { sku: "lamp", name: "Reading lamp", price: 129, share: 0.18 },
] as const;

interface Campaign {
  readonly weight: number;
  readonly trend: number;
  readonly query: string;
  readonly referrer: string | null;
}

/** Where first visits come from: weight, landing query, referrer. Shares drift over the two months (`trend`). */
const CAMPAIGNS: readonly Campaign[] = [
  {
    weight: 20,
    trend: 0.2,
    query: "?utm_source=google&utm_medium=cpc&utm_campaign=brand&gclid=CLICK",
    referrer: "https://www.google.com/",
  },
  {
    weight: 16,
    trend: 0.9,
    query: "?utm_source=facebook&utm_medium=paid_social&utm_campaign=autumn&fbclid=CLICK",
    referrer: "https://l.facebook.com/",
  },
  {
    weight: 8,
    trend: 1.2,
    query: "?utm_source=tiktok&utm_medium=cpc&utm_campaign=makers&ttclid=CLICK",
    referrer: null,
  },
  { weight: 22, trend: 0, query: "", referrer: "https://www.google.com/" },
  { weight: 4, trend: 0, query: "", referrer: "https://duckduckgo.com/" },
  { weight: 3, trend: 1.5, query: "", referrer: "https://chatgpt.com/" },
  {
    weight: 8,
    trend: 0.1,
    query: "?utm_source=newsletter&utm_medium=email&utm_campaign=october",
    referrer: null,
  },
  { weight: 5, trend: 0.3, query: "", referrer: "https://www.instagram.com/" },
  {
    weight: 4,
    trend: 0,
    query: "?utm_source=partner&utm_medium=affiliate",
    referrer: "https://kitchen-notes.example/best-mugs",
  },
  { weight: 14, trend: 0, query: "", referrer: null },
];
/** How people come back. */
const RETURNS: readonly Campaign[] = [
  { weight: 55, trend: 0, query: "", referrer: null },
  { weight: 20, trend: 0, query: "", referrer: "https://www.google.com/" },
  {
    weight: 15,
    trend: 0,
    query: "?utm_source=newsletter&utm_medium=email&utm_campaign=follow-up",
    referrer: null,
  },
  {
    weight: 10,
    trend: 0,
    query: "?utm_source=facebook&utm_medium=retargeting&utm_campaign=come-back&fbclid=CLICK",
    referrer: null,
  },
];

const COUNTRIES = [
  ["US", 34],
  ["DE", 18],
  ["GB", 14],
  ["FR", 8],
  ["NL", 6],
  ["SE", 5],
  ["CA", 5],
  ["AT", 4],
  ["CH", 3],
  ["JP", 3],
] as const;
const PATHS = [
  "/shop",
  "/shop/mug",
  "/shop/kettle",
  "/shop/lamp",
  "/shop/lookbook",
  "/shop/lookbook/morning",
] as const;

/** The story up to `now`, whose day is the last and not over. */
export function tellStory(now: Instant): Story {
  const first = Math.floor(now / DAY) * DAY - (STORY_DAYS - 1) * DAY;
  const visits: StoryVisit[] = [];
  const conversions: StoryConversion[] = [];
  for (let number = 0; number < VISITORS; number++) {
    const life = visitorLife(number, first);
    visits.push(...life.visits);
    conversions.push(...life.conversions);
  }
  const past = <Happening extends { at: Instant }>(all: readonly Happening[]) =>
    Map.groupBy(
      all.filter(({ at }) => at < now - MINUTE).sort((a, b) => a.at - b.at),
      ({ at }) => Math.floor(at / DAY) * DAY,
    );
  const [visitsByDay, conversionsByDay] = [past(visits), past(conversions)];
  return {
    days: Array.from({ length: STORY_DAYS }, (_, day) => {
      const start = first + day * DAY;
      return { start, visits: visitsByDay.get(start) ?? [], conversions: conversionsByDay.get(start) ?? [] };
    }),
  };
}

/** One person: a first visit, perhaps a lead, visits on later days, perhaps a purchase. */
function visitorLife(
  number: number,
  first: Instant,
): { visits: StoryVisit[]; conversions: StoryConversion[] } {
  const chance = chancesOf(`visitor ${number}`);
  const evid = name(`evid ${number}`, 26);
  const country = weighted(
    COUNTRIES.map(([code, weight]) => ({ code, weight })),
    chance(),
  ).code;
  const day = Math.floor(STORY_DAYS * chance() ** 0.8); // a growing shop
  const product = weighted(
    PRODUCTS.map((one) => ({ ...one, weight: one.share })),
    chance(),
  );
  const email = `customer-${number}@example.com`;
  const visits: StoryVisit[] = [];
  const conversions: StoryConversion[] = [];
  const leads = chance() < 0.12;
  const buys = chance() < (leads ? 0.35 : 0.035);
  const count = 1 + (leads || buys ? Math.floor(chance() * 3) : chance() < 0.25 ? 1 : 0);
  let at = first + day * DAY + timeOfDay(chance);
  for (let i = 0; i < count; i++) {
    const campaign = weighted(trending(i === 0 ? CAMPAIGNS : RETURNS, day / STORY_DAYS), chance());
    const visit = visitOf({
      evid,
      country,
      at,
      campaign,
      path: `/shop/${product.sku}`,
      key: `${number} ${i}`,
      chance,
    });
    visits.push(visit);
    const end = (visit.views.at(-1)?.at ?? at) + 30 * SECOND;
    if (leads && i === 0)
      conversions.push({
        at: end,
        type: "Lead",
        payload: { evid, email, first_name: "Demo", form: "newsletter" },
      });
    if (buys && i === count - 1) {
      const units = chance() < 0.2 ? 2 : 1;
      const order = { sku: product.sku, name: product.name, quantity: units, price: product.price };
      conversions.push({
        at: end,
        type: "Purchase",
        payload: {
          evid,
          email,
          value: units * product.price,
          currency: "USD",
          order_id: `shop-${1_000 + number}`,
          products: [order],
        },
      });
    }
    at += Math.ceil(1 + chance() * 9) * DAY + (chance() - 0.5) * 4 * HOUR;
  }
  return { visits, conversions };
}

interface VisitPlan {
  readonly evid: string;
  readonly country: string;
  readonly at: Instant;
  readonly campaign: Campaign;
  readonly path: string;
  readonly key: string;
  readonly chance: () => number;
}

function visitOf({ evid, country, at, campaign, path, key, chance }: VisitPlan): StoryVisit {
  const start = Math.round(at);
  const count = 1 + Math.floor(chance() ** 1.6 * 6);
  let time = start;
  const views = Array.from({ length: count }, (_, i) => {
    const visibleMs = Math.round(4 * SECOND + chance() ** 2 * 2 * MINUTE);
    const view = {
      id: name(`view ${key} ${i}`, 12),
      path: i === 0 ? path : (PATHS[Math.floor(chance() * PATHS.length)] ?? path),
      at: time,
      visibleMs,
    };
    time += visibleMs + Math.round(chance() * 20 * SECOND);
    return view;
  });
  const landingUrl = `${SHOP.replace("/shop", path)}${campaign.query.replace("CLICK", name(`click ${key}`, 20))}`;
  return {
    evid,
    id: name(`visit ${key}`, 16),
    at: start,
    country,
    landingUrl,
    referrer: campaign.referrer,
    views,
  };
}

/** Mostly between breakfast and midnight. */
const timeOfDay = (chance: () => number): number => 7 * HOUR + ((chance() + chance()) / 2) * 16.5 * HOUR;

const trending = <Choice extends { weight: number; trend: number }>(
  choices: readonly Choice[],
  progress: number,
) => choices.map((choice) => ({ ...choice, weight: choice.weight * (1 + choice.trend * progress) }));

function weighted<Choice extends { weight: number }>(choices: readonly Choice[], chance: number): Choice {
  let left = chance * choices.reduce((sum, { weight }) => sum + weight, 0);
  for (const choice of choices) {
    left -= choice.weight;
    if (left < 0) return choice;
  }
  return choices[0] as Choice;
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** A made-up id: always the same for the same seed. */
const name = (seed: string, length: number): string => digest(seed).toString("hex").slice(0, length);

/** Numbers in [0, 1), always the same for the same seed. */
function chancesOf(seed: string): () => number {
  let drawn = 0;
  return () => digest(`${seed} ${drawn++}`).readUInt32BE(0) / 2 ** 32;
}
