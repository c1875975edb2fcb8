import * as z from "zod";
import type { JsonObject, JsonValue } from "../../conversion/json";
import type { Reading } from "../../conversion/reading";
import { currencyCode } from "../../conversion/text";
import { maybe, present } from "../fields";
import type { NativeChoices } from "../source";
import { fromStripeAmount } from "./amount";
import { type Lines, productsOf } from "./lines";

/** An id, also of an object that was expanded. */
export const id = maybe(z.union([z.string(), z.object({ id: z.string() }).transform((object) => object.id)]));

/** What an object says of a payment, or why it says of none; as `NativeReading`, but without its time. */
export type SaleReading =
  | { readonly sale: { readonly name: string; readonly reading: Reading } }
  | { readonly ignored: string }
  | { readonly problem: string };

export type SaleReader = (object: unknown, choices: NativeChoices) => SaleReading;

interface Paid {
  readonly amount: number;
  readonly currency: JsonValue;
  readonly lines: Lines;
  /** What the object is called and hangs together with. */
  readonly facts: JsonObject;
}

/** `metadata` as read, with what was paid and for what; visitor, clicks and further properties stay those of the metadata. */
export function withPayment(metadata: Reading, { amount, currency, lines, facts }: Paid): Reading {
  const code = currencyCode(currency);
  const products = productsOf(lines, code);
  return {
    ...metadata,
    amount: fromStripeAmount(amount, code),
    currency: code,
    products: products.length > 0 ? products : metadata.products,
    properties: { ...present(facts), ...metadata.properties },
  };
}
