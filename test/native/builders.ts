import { createHmac } from "node:crypto";
import Stripe from "stripe";
import type { Instant } from "../../shared/domain/instant";
import { SECOND } from "../../shared/domain/instant";

/** 2026-07-09 12:00 UTC. */
export const NOON = Date.UTC(2026, 6, 9, 12);
export const STRIPE_SECRET = "whsec_4fVq0ZsTn1dQwRb7";
export const CALENDLY_KEY = "5mEzn9C-I28UtwOjZJtFoob0sAAFZ95GbZkqj4y3i0I";

type Fields = Readonly<Record<string, unknown>>;

/** An event as Stripe's API of 2025 and later sends it. */
export const stripeEvent = (type: string, object: Fields, envelope: Fields = {}) => ({
  id: "evt_1QzKp2LkdIwHu7ix7C0pQ8rT",
  object: "event",
  api_version: "2025-08-27.basil",
  created: NOON / SECOND,
  data: { object },
  livemode: true,
  pending_webhooks: 1,
  request: { id: null, idempotency_key: null },
  type,
  ...envelope,
});

/** A paid Checkout session. */
export const session = (fields: Fields = {}) => ({
  id: "cs_live_a1b2c3d4",
  object: "checkout.session",
  amount_subtotal: 4900,
  amount_total: 4900,
  client_reference_id: null,
  created: NOON / SECOND - 120,
  currency: "usd",
  customer: null,
  customer_details: {
    address: { city: null, country: "DE", line1: null, postal_code: "10115" },
    email: "Ann@Example.com",
    name: "Ann van Dale",
    phone: "+4930123456",
    tax_exempt: "none",
    tax_ids: [],
  },
  customer_email: null,
  invoice: null,
  metadata: {},
  mode: "payment",
  payment_intent: "pi_3QzKp1LkdIwHu7ix",
  payment_link: null,
  payment_status: "paid",
  status: "complete",
  subscription: null,
  ...fields,
});

/** A line of an invoice since 2025. */
export const invoiceLine = (fields: Fields = {}) => ({
  id: "il_1QzKp0",
  object: "line_item",
  amount: 2900,
  currency: "usd",
  description: "1 × Pro plan (at $29.00 / month)",
  discount_amounts: [],
  metadata: {},
  pricing: {
    price_details: { price: "price_1Pro", product: "prod_Pro" },
    type: "price_details",
    unit_amount_decimal: "2900",
  },
  quantity: 1,
  subtotal: 2900,
  ...fields,
});

/** A paid invoice of a renewal. */
export const invoice = (fields: Fields = {}) => ({
  id: "in_1QzKpRenewal",
  object: "invoice",
  amount_due: 2900,
  amount_paid: 2900,
  billing_reason: "subscription_cycle",
  collection_method: "charge_automatically",
  created: NOON / SECOND - 3600,
  currency: "usd",
  customer: "cus_R1",
  customer_email: "ann@example.com",
  customer_name: "Ann van Dale",
  customer_phone: null,
  lines: { object: "list", data: [invoiceLine()], has_more: false },
  metadata: {},
  number: "A1B2-0007",
  parent: {
    type: "subscription_details",
    quote_details: null,
    subscription_details: { metadata: {}, subscription: "sub_1Qz" },
  },
  status: "paid",
  total: 2900,
  ...fields,
});

export const INVITEE = "https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2/invitees/AAAAAAAAAAAAAAAA";

/** A booking, or whatever else `event` says. */
export const calendlyEvent = (payload: Fields = {}, event = "invitee.created") => ({
  created_at: "2026-07-09T12:00:01.000000Z",
  created_by: "https://api.calendly.com/users/AAAAAAAAAAAAAAAA",
  event,
  payload: {
    cancel_url: "https://calendly.com/cancellations/AAAAAAAAAAAAAAAA",
    created_at: "2026-07-09T12:00:00.123456Z",
    email: "ann@example.com",
    event: "https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2",
    first_name: null,
    last_name: null,
    name: "Ann van Dale",
    new_invitee: null,
    no_show: null,
    old_invitee: null,
    payment: null,
    questions_and_answers: [],
    reschedule_url: "https://calendly.com/reschedulings/AAAAAAAAAAAAAAAA",
    rescheduled: false,
    routing_form_submission: null,
    scheduled_event: {
      uri: "https://api.calendly.com/scheduled_events/GBGBDCAADAEDCRZ2",
      name: "Intro call",
      status: "active",
      start_time: "2026-07-14T12:30:00.000000Z",
      end_time: "2026-07-14T13:00:00.000000Z",
      event_type: "https://api.calendly.com/event_types/GBGBDCAADAEDCRZ2",
      location: { type: "physical", location: "Office" },
      invitees_counter: { total: 1, active: 1, limit: 1 },
    },
    status: "active",
    text_reminder_number: null,
    timezone: "Europe/Berlin",
    tracking: {
      utm_campaign: null,
      utm_source: null,
      utm_medium: null,
      utm_content: null,
      utm_term: null,
      salesforce_uuid: null,
    },
    uri: INVITEE,
    ...payload,
  },
});

/** The header Stripe's own library makes for a payload. */
export const stripeSignature = (payload: string, secret = STRIPE_SECRET, at: Instant = NOON): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / SECOND) });

/** The header of Calendly's documented scheme. */
export function calendlySignature(payload: string, secret = CALENDLY_KEY, at: Instant = NOON): string {
  const t = Math.floor(at / SECOND);
  return `t=${t},v1=${createHmac("sha256", secret).update(`${t}.${payload}`).digest("hex")}`;
}
