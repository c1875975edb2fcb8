import type {
  ConversionFact,
  EngagementFact,
  Fact,
  PageviewFact,
  VisitFact,
} from "../../shared/domain/analytics/fact";
import type { Funnel } from "../../shared/domain/funnels/funnel";
import { naiveFunnel } from "../funnels/journeys";
import { addDays, datesBetween, firstInstantOf } from "./reference-days";

/**
 * The read API as the contract and its decisions have it, counted from raw facts the slow and obvious way: for every row of
 * every answer it goes through everything there is. No code of the product's figures is used.
 */

/** Everything known of a site: facts in any order, repeated or superseded, and what it has saved. */
export interface KnownSite {
  readonly facts: readonly Fact[];
  readonly funnels: readonly Funnel[];
}

export interface Question {
  /** ISO dates, both included. */
  readonly from: string;
  readonly to: string;
  readonly timezone: string;
  /** Of pages. */
  readonly limit?: number;
}

/** The whole bodies of all seven endpoints. */
export function referenceBodies({ facts, funnels }: KnownSite, question: Question) {
  const { from, to, timezone, limit = 25 } = question;
  const range = {
    start: firstInstantOf(timezone, from),
    end: firstInstantOf(timezone, addDays(to, 1)),
  };
  const all = onceEach(facts);
  const inRange = onceEach(facts.filter(({ at }) => at >= range.start && at < range.end));
  const period = { from, to, timezone };
  return {
    overview: { period, ...overview(inRange) },
    revenue: { period, ...revenue(inRange, question) },
    leads: { period, ...leads(inRange) },
    pages: { period, pages: pages(inRange).slice(0, limit) },
    products: { period, ...products(inRange) },
    users: { period, ...users(inRange, all.visits) },
    funnels: { period, funnels: funnels.map((funnel) => funnelRow(funnel, facts, range)) },
  };
}

interface Counted {
  readonly visits: VisitFact[];
  readonly pageviews: PageviewFact[];
  readonly engagements: EngagementFact[];
  /** Visible time of each page view that reported one, the longest. */
  readonly attentions: { path: string; visibleMs: number }[];
  readonly conversions: ConversionFact[];
}

/** Each thing that happened once, however often it was written: a visit, a page view, the highest version of an event. */
function onceEach(facts: readonly Fact[]): Counted {
  const ofKind = <Kind extends Fact["kind"]>(kind: Kind) =>
    facts.filter((fact): fact is Extract<Fact, { kind: Kind }> => fact.kind === kind);
  return {
    visits: distinct(ofKind("visit"), (fact) => fact.visit),
    pageviews: distinct(ofKind("pageview"), (fact) => [fact.visit, fact.id]),
    engagements: ofKind("engagement"),
    attentions: groups(ofKind("attention"), (fact) => [fact.visit, fact.id]).map((reports) => ({
      path: first(reports).path,
      visibleMs: Math.max(...reports.map((report) => report.visibleMs)),
    })),
    conversions: groups(ofKind("conversion"), (fact) => fact.id).map((versions) =>
      first(versions.toSorted((a, b) => b.version - a.version)),
    ),
  };
}

function overview({ visits, pageviews, conversions }: Counted) {
  const made = conversions.filter(({ type }) => type === "Lead" || type === "Purchase");
  const figures = (from: Test) => {
    const bought = made.filter(from).filter(isPurchase);
    return {
      sessions: visits.filter(from).length,
      revenue: sum(bought, worth),
      leads: made.filter(from).filter(isLead).length,
      purchases: bought.length,
    };
  };
  const { sessions, ...others } = figures(() => true);
  return {
    totals: {
      sessions,
      unique_visitors: countVisitors([...visits, ...pageviews]),
      pageviews: pageviews.length,
      ...inDollars(others),
    },
    by_source: originsOf([...visits, ...pageviews, ...made])
      .map((origin) => ({ ...origin, ...figures(isFrom(origin)) }))
      .sort(by("sessions", "revenue", "source", "channel"))
      .map(inDollars),
  };
}

function revenue({ visits, conversions }: Counted, { from, to, timezone }: Question) {
  const purchases = conversions.filter(isPurchase);
  const figures = (some: readonly ConversionFact[]) => ({
    revenue: sum(some, worth),
    purchases: some.length,
  });
  const total = figures(purchases);
  return {
    totals: { ...inDollars(total), average_order_value: dollars(total.revenue, total.purchases) },
    by_source: originsOf([...visits, ...purchases])
      .map((origin) => ({ ...origin, ...figures(purchases.filter(isFrom(origin))) }))
      .sort(by("revenue", "source", "channel"))
      .map((row) => ({
        ...inDollars(row),
        conversion_rate_pct: percent(row.purchases, visits.filter(isFrom(row)).length),
      })),
    by_product: sold(purchases).map(({ sku, product_name, units, revenue }) => ({
      ...{ sku, product_name, units },
      revenue: dollars(revenue),
    })),
    by_day: datesBetween(from, to).map((date) => {
      const [start, end] = [firstInstantOf(timezone, date), firstInstantOf(timezone, addDays(date, 1))];
      return { date, ...inDollars(figures(purchases.filter(({ at }) => at >= start && at < end))) };
    }),
  };
}

function leads({ conversions }: Counted) {
  const made = conversions.filter(isLead);
  return {
    totals: { leads: made.length },
    by_source: originsOf(made)
      .map((origin) => ({ ...origin, leads: made.filter(isFrom(origin)).length }))
      .sort(by("leads", "source", "channel")),
  };
}

function pages({ visits, pageviews, attentions, engagements }: Counted) {
  return distinct(pageviews, ({ path }) => path)
    .map(({ path }) => {
      const views = pageviews.filter((view) => view.path === path);
      const times = attentions.filter((attention) => attention.path === path);
      const entered = visits.filter((visit) => visit.path === path);
      const bounced = entered.filter(({ visit }) => engagements.every((other) => other.visit !== visit));
      return {
        path,
        pageviews: views.length,
        unique_visitors: countVisitors(views),
        avg_time_on_page_seconds: ratio(
          sum(times, ({ visibleMs }) => visibleMs),
          times.length * 1_000,
        ),
        bounce_rate_pct: percent(bounced.length, entered.length),
      };
    })
    .sort(by("pageviews", "path"));
}

function products({ conversions }: Counted) {
  const purchases = conversions.filter((fact) => isPurchase(fact) && fact.products.length > 0);
  return {
    products: sold(purchases).map(({ sku, product_name, units, revenue }) => ({
      ...{ sku, product_name, units_sold: units },
      revenue: dollars(revenue),
      average_price: dollars(revenue, units),
    })),
    by_source: originsOf(purchases)
      .map((origin) => {
        const its = sold(purchases.filter(isFrom(origin)));
        const { sku, product_name } = first(its);
        return {
          ...{ ...origin, top_product_sku: sku, top_product_name: product_name },
          revenue: sum(its, ({ revenue }) => revenue),
        };
      })
      .sort(by("revenue", "source", "channel"))
      .map(inDollars),
  };
}

/** Products of purchases, most revenue first. */
function sold(purchases: readonly ConversionFact[]) {
  const lines = purchases.flatMap(({ products }) => products);
  return groups(lines, ({ sku, name }) => [sku, name])
    .map((its) => ({
      sku: first(its).sku,
      product_name: first(its).name,
      units: sum(its, ({ units }) => units),
      revenue: sum(its, ({ revenue }) => revenue),
    }))
    .sort(by("revenue", "sku", "product_name"));
}

/** `everVisited`: the visits of all time, which tell who is new. */
function users({ visits, pageviews }: Counted, everVisited: readonly VisitFact[]) {
  const seen = [...visits, ...pageviews];
  const isNew = (visitor: number): boolean => {
    const began = everVisited.filter((visit) => visit.visitor === visitor).map(({ at }) => at);
    return visits.some((visit) => visit.visitor === visitor && visit.at === Math.min(...began));
  };
  const unique = countVisitors(seen);
  const fresh = distinct(seen, ({ visitor }) => visitor).filter(({ visitor }) => isNew(visitor)).length;
  return {
    totals: { unique_visitors: unique, returning_visitors: unique - fresh, new_visitors: fresh },
    by_source: originsOf(seen)
      .map((origin) => ({ ...origin, visitors: countVisitors(seen.filter(isFrom(origin))) }))
      .sort(by("visitors", "source", "channel")),
    by_country: groups(seen, ({ country }) => country)
      .map((its) => ({ country: first(its).country, visitors: countVisitors(its) }))
      .sort(by("visitors", "country")),
  };
}

function funnelRow(funnel: Funnel, facts: readonly Fact[], range: { start: number; end: number }) {
  const visitors = naiveFunnel(funnel, facts, range);
  const [began = 0, ended = 0] = [visitors[0], visitors.at(-1)];
  return {
    ...{ id: funnel.id, name: funnel.name },
    steps: funnel.steps.map(({ name }, i) => ({
      step_name: name,
      visitors: visitors[i],
      conversion_from_previous_pct: i === 0 ? 100 : percent(visitors[i] ?? 0, visitors[i - 1] ?? 0),
    })),
    overall_conversion_pct: percent(ended, began),
  };
}

interface Origin {
  readonly source: string;
  readonly channel: string;
}
type Test = (fact: Origin) => boolean;

const isFrom =
  ({ source, channel }: Origin): Test =>
  (fact) =>
    fact.source === source && fact.channel === channel;
const originsOf = (facts: readonly Origin[]): Origin[] =>
  distinct(facts, ({ source, channel }) => [source, channel]).map(({ source, channel }) => ({
    source,
    channel,
  }));
const isLead = ({ type }: ConversionFact): boolean => type === "Lead";
const isPurchase = ({ type }: ConversionFact): boolean => type === "Purchase";
const worth = ({ value }: ConversionFact): number => value;
const countVisitors = (facts: readonly { visitor: number }[]): number =>
  distinct(facts, ({ visitor }) => visitor).length;

const groups = <T>(things: readonly T[], key: (thing: T) => unknown): T[][] => [
  ...Map.groupBy(things, (thing) => JSON.stringify(key(thing))).values(),
];
const distinct = <T>(things: readonly T[], key: (thing: T) => unknown): T[] => groups(things, key).map(first);
const sum = <T>(things: readonly T[], figure: (thing: T) => number): number =>
  things.reduce((total, thing) => total + figure(thing), 0);
function first<T>(things: readonly T[]): T {
  const [thing] = things;
  if (thing === undefined) throw new Error("an empty group");
  return thing;
}

/** Orders rows by the columns in turn: figures the largest first, names ascending by code unit. */
function by<Column extends string>(...columns: Column[]) {
  return (a: Record<Column, string | number>, b: Record<Column, string | number>): number => {
    const column = columns.find((one) => a[one] !== b[one]);
    if (column === undefined) return 0;
    const isGreater = a[column] > b[column];
    return isGreater === (typeof a[column] === "number") ? -1 : 1;
  };
}

/** `part / whole` rounded half away from zero to 2 decimals, in whole numbers throughout; 0 of nothing. */
export function ratio(part: number, whole: number): number {
  if (whole === 0) return 0;
  const hundredths = (2n * 100n * BigInt(Math.abs(part)) + BigInt(whole)) / (2n * BigInt(whole));
  return (Number(hundredths) * Math.sign(part)) / 100 || 0;
}
const percent = (part: number, whole: number): number => ratio(part * 100, whole);
/** Thousandths as decimal dollars; shared among `count`. */
const dollars = (thousandths: number, count = 1): number => ratio(thousandths, count * 1_000);
const inDollars = <Row extends { revenue: number }>(row: Row): Row => ({
  ...row,
  revenue: dollars(row.revenue),
});
