import * as z from "zod";
import { clip } from "../../clip";
import type { JsonValue } from "../../conversion/json";
import type { Reading } from "../../conversion/reading";
import { text } from "../../conversion/text";
import { anything, asObject, list, maybe } from "../fields";
import { fromStripeAmount } from "./amount";

/** A reference to another object: its id, or the object where it was expanded. */
const reference = maybe(
  z.union([
    z.string().transform((id) => ({ id, name: null, metadata: null })),
    z.object({ id: z.string(), name: maybe(z.string()), metadata: anything }),
  ]),
);

const price = maybe(
  z.object({ id: maybe(z.string()), nickname: maybe(z.string()), product: reference, metadata: anything }),
);

/**
 * A line of an invoice or of a session. What was sold is a `price` in versions up to 2025, a `plan` in old ones, and
 * `pricing.price_details` since.
 */
const line = z.object({
  description: maybe(z.string()),
  quantity: maybe(z.number().positive()),
  amount: maybe(z.int()),
  amount_total: maybe(z.int()),
  discount_amounts: list(z.object({ amount: z.int() })),
  metadata: anything,
  price,
  plan: price,
  pricing: maybe(z.object({ price_details: maybe(z.object({ price: reference, product: reference })) })),
});

/** `lines` of an invoice, `line_items` of a session that was sent with them. */
export const lines = maybe(z.object({ data: list(line) }));
export type Lines = z.output<typeof lines>;

const MAX_TEXT = 200;

/** The products of the lines, at what was paid for them after discounts. Lines that name none are left out. */
export function productsOf(sold: Lines, currency: string | null): Reading["products"] {
  return (sold?.data ?? []).flatMap((entry) => {
    const details = entry.pricing?.price_details;
    const product = details?.product ?? entry.price?.product ?? entry.plan?.product;
    const ids = [
      sku(entry.metadata),
      sku(entry.price?.metadata),
      sku(product?.metadata),
      product?.id,
      details?.price?.id ?? entry.price?.id ?? entry.plan?.id,
    ];
    const names = [product?.name, nameIn(entry.description), entry.price?.nickname ?? entry.plan?.nickname];
    const [id, name] = [firstText(ids), firstText(names)];
    if (id === null && name === null) return [];
    const units = entry.quantity ?? 1;
    const discount = entry.discount_amounts.reduce((sum, { amount }) => sum + amount, 0);
    const paid = entry.amount_total ?? (entry.amount === null ? null : entry.amount - discount);
    return [
      {
        sku: id ?? name ?? "",
        name: name ?? id ?? "",
        units,
        price: paid === null ? null : fromStripeAmount(paid, currency) / units,
      },
    ];
  });
}

const sku = (metadata: JsonValue | undefined): JsonValue => asObject(metadata ?? null).sku ?? null;

const firstText = (values: readonly (JsonValue | undefined)[]): string | null =>
  values.map((value) => text(MAX_TEXT)(clipped(value ?? null))).find((value) => value !== null) ?? null;

const clipped = (value: JsonValue): JsonValue => (typeof value === "string" ? clip(value, MAX_TEXT) : value);

/** Around a product's name invoices put how many and at what price; of a change of plan they name the date. */
const WRAPPED = /^\d+\s*[×x]\s*(?<name>.+?)(?:\s*\(at [^()]*\))?$/u;
const PRORATION = /^(?:Unused|Remaining) time on (?:\d+\s*[×x]\s*)?(?<name>.+?)(?: after .*)?$/u;

/** The product's name in a line's description: one name for one product, whatever the line. */
function nameIn(description: string | null): string | null {
  if (description === null || description.length > 1_000) return null;
  const match = WRAPPED.exec(description) ?? PRORATION.exec(description);
  return match?.groups?.name ?? description;
}
