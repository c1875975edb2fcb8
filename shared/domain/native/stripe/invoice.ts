import * as z from "zod";
import { anything, contactOf, maybe, readFields } from "../fields";
import { lines } from "./lines";
import { metadataOf } from "./metadata";
import { id, type SaleReader, withPayment } from "./sale";

/** At the top of invoices of versions up to 2025, in `parent` since. */
const subscriptionDetails = maybe(z.object({ metadata: anything, subscription: id }));

const invoice = z.object({
  id: z.string().min(1).max(255),
  billing_reason: maybe(z.string()),
  amount_paid: z.int(),
  currency: anything,
  customer_email: anything,
  customer_name: anything,
  customer_phone: anything,
  metadata: anything,
  lines,
  number: maybe(z.string()),
  subscription: id,
  subscription_details: subscriptionDetails,
  parent: maybe(z.object({ subscription_details: subscriptionDetails })),
});

/** A paid invoice: a renewal, or one made by hand; the first of a subscription where the site says so (README, "Stripe"). */
export const readInvoice: SaleReader = (object, { countFirstInvoices }) => {
  const parsed = invoice.safeParse(object);
  if (!parsed.success) return { problem: "The event holds no invoice that can be read." };
  const said = parsed.data;
  if (said.amount_paid <= 0) return { ignored: "Nothing was paid." };
  if (said.billing_reason === "subscription_create" && !countFirstInvoices) {
    return { ignored: "A subscription's first payment is counted by its Checkout session." };
  }
  const subscription = said.parent?.subscription_details ?? said.subscription_details;
  const own = metadataOf(said.metadata);
  const metadata = readFields({ ...metadataOf(subscription?.metadata ?? null), ...own });
  const reading = withPayment(metadata, {
    amount: said.amount_paid,
    currency: said.currency,
    lines: said.lines,
    facts: {
      invoice: said.id,
      invoice_number: said.number,
      billing_reason: said.billing_reason,
      subscription: said.subscription ?? subscription?.subscription ?? null,
    },
  });
  const who = { email: said.customer_email, phone: said.customer_phone, name: said.customer_name };
  return {
    sale: {
      name: said.id,
      reading: {
        ...reading,
        contact: contactOf(who, metadata.contact),
        // Not the subscription's: that order is its first one, and renewals would be duplicates of it.
        orderId: readFields(own).orderId ?? said.id,
      },
    },
  };
};
