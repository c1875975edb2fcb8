import { isObject, type JsonObject, type JsonValue } from "../../conversion/json";
import { asObject } from "../fields";

/** Fields that may hold a list, which metadata can only hold as its JSON. */
const LISTS = new Set(["products", "items", "line_items"]);
/** Of one value; Stripe's own limit is 500. */
const MAX_VALUE = 5_000;

/**
 * Metadata as a payload in which fields are looked for by the names that receiving webhooks know (contract: "Payload
 * fields read"): `tm_evid`, `gclid`, `order_id`, `sku`, ...; lists of products from their JSON.
 */
export function metadataOf(metadata: JsonValue): JsonObject {
  const entries = Object.entries(asObject(metadata)).filter(
    ([, value]) => typeof value === "string" && value !== "" && value.length <= MAX_VALUE,
  );
  return Object.fromEntries(
    entries.map(([name, value]) => [name, LISTS.has(name) ? productList(String(value)) : value]),
  );
}

function productList(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue;
    return Array.isArray(value) && value.every(isObject) ? value : text;
  } catch {
    return text;
  }
}
