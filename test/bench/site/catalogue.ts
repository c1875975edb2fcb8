import type { ConversionType, Origin } from "../../../shared/domain/analytics/fact";
import type { FunnelDraft } from "../../../shared/domain/funnels/saved-funnels";
import type { Money } from "../../../shared/domain/money";

/** Where visits come from, with their share in percent. */
export const ORIGINS: readonly (Origin & { readonly share: number })[] = (
  [
    ["google", "Organic Search", 24],
    ["google", "Paid Search", 20],
    ["(direct)", "Direct", 18],
    ["facebook", "Paid Social", 13],
    ["instagram", "Paid Social", 6],
    ["bing", "Organic Search", 4],
    ["newsletter", "Email", 4],
    ["tiktok", "Paid Social", 3],
    ["youtube", "Organic Video", 2],
    ["instagram", "Organic Social", 2],
    ["chatgpt", "AI Assistants", 1],
    ["linkedin", "Organic Social", 1],
    ["pinterest", "Organic Social", 1],
    ["partner.example", "Referral", 1],
  ] as const
).map(([source, channel, share]) => ({ source, channel, share }));

/** 40 of them, the one most visitors come from first. */
export const COUNTRIES =
  "US DE GB FR IN BR CA ES IT NL PL SE JP AU MX CH AT BE DK NO FI IE PT CZ RO GR HU TR ZA KR SG NZ AR CL CO AE IL UA TH ID".split(
    " ",
  );

const COUNT_OF_PATHS = 2_000;
const FIRST_PATHS = ["/", "/pricing", "/blog", "/cart", "/checkout", "/about", "/contact"];

/** As many as a bucket keeps apart, so that no figure of theirs is in `(other)`; the one most often viewed first. */
export const PATHS = Array.from(
  { length: COUNT_OF_PATHS },
  (_, i) => FIRST_PATHS[i] ?? (i % 3 === 0 ? `/blog/post-${i}` : `/products/item-${i}`),
);

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: Money;
}

/** Few enough that, by source, a bucket keeps them all apart. */
export const PRODUCTS: readonly Product[] = Array.from({ length: 100 }, (_, i) => ({
  sku: `SKU-${1_000 + i}`,
  name: `Item ${1_000 + i}`,
  price: 10 * (490 + ((i * 3_779) % 20_000)),
}));

/** What conversions are, with their share in percent. */
export const CONVERSIONS: readonly { readonly type: ConversionType; readonly name: string; share: number }[] =
  [
    { type: "Lead", name: "Lead", share: 50 },
    { type: "Purchase", name: "Purchase", share: 36 },
    { type: "Schedule", name: "Schedule", share: 8 },
    { type: "Custom", name: "Demo booked", share: 6 },
  ];

const page = (name: string, path: string) => ({ name, matches: { page: path } });
const event = (name: string) => ({ name, matches: { event: name } });

/** What the site has saved before its first visit: two steps and more, pages, prefixes and events. */
export const FUNNELS: readonly FunnelDraft[] = [
  { name: "Prices to lead", steps: [page("Prices", "/pricing"), event("Lead")] },
  {
    name: "Product to purchase",
    steps: [page("Product", "/products/*"), page("Checkout", "/checkout"), event("Purchase")],
  },
  {
    name: "Reader to buyer",
    steps: [
      page("Home", "/"),
      page("Post", "/blog/*"),
      page("Product", "/products/*"),
      page("Cart", "/cart"),
      event("Purchase"),
    ],
  },
];
