import type { ProductLine } from "../../analytics/fact";
import { toMoney } from "../../money";
import { isObject, type JsonObject, type JsonValue } from "../json";
import { text, textOrNumber } from "../text";
import type { Fields } from "./fields";
import { normalName } from "./places";
import { amountOf } from "./price";

/** One product of a payload, before its currency is known. */
export interface ProductEntry {
  readonly sku: string;
  readonly name: string;
  /** Positive, as sent. */
  readonly units: number;
  /** Of one unit; null when none was sent. */
  readonly price: number | null;
}

/** Names of lists that products are looked for in. */
export const PRODUCT_LISTS = ["products", "items", "line_items"];
const SKU = ["sku", "product_id", "id"];
const NAME = ["product_name", "name", "title"];
const UNITS = ["units", "quantity", "qty"];
const MAX_UNITS = 1_000_000;
const MAX_TEXT = 200;

/** Lines a fact keeps; the rest are folded into one, so that totals stay exact. */
export const MAX_LINES = 100;
export const OTHER = "(other)";

/**
 * The products of a payload (decisions: "Products"): its first list that names any, found like a field, else its own
 * top-level fields (there only `sku` and `product_name`, since `id` and `name` of a payload mean other things).
 */
export function readProducts(payload: JsonObject, fields: Fields): readonly ProductEntry[] {
  for (const { value } of fields.at(PRODUCT_LISTS)) {
    if (!Array.isArray(value)) continue;
    const entries = value.flatMap((entry) => (isObject(entry) ? readEntry(entry, SKU, NAME) : []));
    if (entries.length > 0) return entries;
  }
  return readEntry(payload, ["sku"], ["product_name"]);
}

function readEntry(entry: JsonObject, skuNames: string[], nameNames: string[]): ProductEntry[] {
  const sku = first(entry, skuNames, textOrNumber(MAX_TEXT));
  const name = first(entry, nameNames, text(MAX_TEXT));
  if ((sku ?? name) === null) return [];
  const units = first(entry, UNITS, amountOf) ?? 1;
  if (units <= 0 || units > MAX_UNITS) return [];
  return [
    { sku: sku ?? name ?? "", name: name ?? sku ?? "", units, price: first(entry, ["price"], amountOf) },
  ];
}

/** Lines for a fact: revenue is units x price in `currency`, units whole, lines of one product together. */
export function productLines(entries: readonly ProductEntry[], currency: string): readonly ProductLine[] {
  const lines = new Map<string, ProductLine>();
  for (const { sku, name, units, price } of entries) {
    const key = JSON.stringify([sku, name]);
    const isNew = !lines.has(key);
    const place = isNew && lines.size >= MAX_LINES ? OTHER : key;
    const so = lines.get(place);
    lines.set(place, {
      sku: place === OTHER ? OTHER : sku,
      name: place === OTHER ? OTHER : name,
      units: (so?.units ?? 0) + Math.max(1, Math.round(units)),
      revenue: (so?.revenue ?? 0) + (toMoney(units * (price ?? 0), currency) ?? 0),
    });
  }
  return [...lines.values()];
}

/** The first value that can be read: of exact names, then of those alike. */
function first<Value>(
  entry: JsonObject,
  names: readonly string[],
  read: (value: JsonValue) => Value | null,
): Value | null {
  const exact = names.filter((name) => Object.hasOwn(entry, name));
  const alike = names.flatMap((name) =>
    Object.keys(entry).filter((other) => other !== name && normalName(other) === normalName(name)),
  );
  for (const name of [...exact, ...alike]) {
    const result = read(entry[name] ?? null);
    if (result !== null) return result;
  }
  return null;
}
