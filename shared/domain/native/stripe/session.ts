import * as z from "zod";
import { text } from "../../conversion/text";
import { anything, contactOf, maybe, readFields } from "../fields";
import { lines } from "./lines";
import { metadataOf } from "./metadata";
import { id, type SaleReader, withPayment } from "./sale";

const session = z.object({
  id: z.string().min(1).max(255),
  payment_status: maybe(z.string()),
  amount_total: maybe(z.int()),
  currency: anything,
  customer_details: maybe(
    z.object({ email: anything, phone: anything, name: anything, individual_name: anything }),
  ),
  customer_email: anything,
  client_reference_id: anything,
  metadata: anything,
  line_items: lines,
  invoice: id,
  payment_intent: id,
  payment_link: id,
  subscription: id,
});

/** A Checkout session, once it is paid: its name is that of its invoice where it made one (README, "Stripe"). */
export const readSession: SaleReader = (object) => {
  const said = session.safeParse(object).data;
  if (said?.payment_status === "unpaid") return { ignored: "The session is not paid yet." };
  if (said?.payment_status === "no_payment_required") return { ignored: "Nothing was paid." };
  if (!said || said.amount_total === null) {
    return { problem: "The event holds no Checkout session that can be read." };
  }
  if (said.amount_total <= 0) return { ignored: "Nothing was paid." };
  const metadata = readFields(metadataOf(said.metadata));
  const person = said.customer_details;
  const reading = withPayment(metadata, {
    amount: said.amount_total,
    currency: said.currency,
    lines: said.line_items,
    facts: {
      checkout_session: said.id,
      payment_intent: said.payment_intent,
      payment_link: said.payment_link,
      subscription: said.subscription,
      client_reference_id: metadata.visitorId === null ? null : said.client_reference_id,
    },
  });
  const who = {
    email: person?.email ?? said.customer_email,
    phone: person?.phone ?? null,
    name: person?.individual_name ?? person?.name ?? null,
  };
  return {
    sale: {
      name: said.invoice ?? said.id,
      reading: {
        ...reading,
        contact: contactOf(who, metadata.contact),
        // What a thank-you page knows of the payment, and the tools on it send: `{CHECKOUT_SESSION_ID}`.
        orderId: metadata.orderId ?? said.id,
        visitorId: metadata.visitorId ?? text(256)(said.client_reference_id),
      },
    },
  };
};
