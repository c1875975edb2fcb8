import { sentAsForm, sentAsJson, type ToolFixture } from "./fixture";

const EVID = "5f3c1f6e-8a41-4d0e-9c1b-2f1e5a7d9b10";

const stripe = sentAsJson(
  "Stripe, checkout.session.completed passed on",
  {
    id: "evt_1OqW",
    object: "event",
    type: "checkout.session.completed",
    data: {
      object: {
        id: "cs_test_a1",
        object: "checkout.session",
        amount_total: 4900,
        currency: "kwd",
        client_reference_id: EVID,
        customer_details: { email: "s@example.com", name: "Sam Ray", phone: "+15551234567", tax_ids: [] },
        metadata: { visitor_id: EVID, order_id: "1001", value: "4.9" },
        line_items: [
          {
            id: "li_1",
            object: "item",
            description: "Pro",
            amount_total: 4900,
            price: { id: "price_1" },
            quantity: 1,
          },
        ],
      },
    },
  },
  {
    read: {
      email: "s@example.com",
      phone: "+15551234567",
      amount: 4.9,
      currency: "KWD",
      orderId: "1001",
      visitorId: EVID,
      products: [{ sku: "li_1", name: "li_1", units: 1, price: null }],
    },
    kept: { data: { object: { amount_total: 4900, client_reference_id: EVID } } },
    gone: ["data.object.metadata", "data.object.customer_details.email"],
  },
);

const stripeByZapier = sentAsForm(
  "Stripe by Zapier, fields mapped by hand",
  {
    Email: "zap@example.com",
    "First-Name": "Zoë",
    last_name: "Apple",
    value: "1.234,50 €",
    Order_ID: "ch_3Oq",
    description: "Course, 2 parts",
  },
  {
    read: {
      email: "zap@example.com",
      firstName: "Zoë",
      lastName: "Apple",
      amount: 1234.5,
      currency: "EUR",
      orderId: "ch_3Oq",
    },
    kept: { description: "Course, 2 parts" },
    gone: ["Email", "First-Name", "value", "Order_ID"],
  },
);

const calendly = sentAsJson(
  "Calendly by Make, invitee.created",
  {
    created_at: "2026-07-09T12:00:00.000000Z",
    event: "invitee.created",
    payload: {
      cancel_url: "https://calendly.example/cancellations/AAAA",
      email: "test@example.com",
      first_name: "John",
      last_name: "Doe",
      name: "John Doe",
      questions_and_answers: [{ answer: "(415) 555-0100", position: 0, question: "Phone" }],
      text_reminder_number: null,
      tracking: { utm_source: "google", utm_campaign: null, salesforce_uuid: null },
      scheduled_event: { name: "15 min", location: { type: "physical", location: "string" } },
      payment: {
        external_id: "ch_A",
        provider: "stripe",
        amount: 1234.56,
        currency: "USD",
        successful: true,
      },
    },
  },
  {
    read: { email: "test@example.com", firstName: "John", lastName: "Doe", currency: "USD" },
    kept: {
      event: "invitee.created",
      payload: {
        name: "John Doe",
        tracking: { utm_source: "google", utm_campaign: null },
        payment: { amount: 1234.56 },
      },
    },
    gone: ["payload.email", "payload.payment.currency"],
  },
);

const typeform = sentAsJson(
  "Typeform by Zapier",
  {
    form_id: "lT4Z3j",
    token: "a3a12ec67a1365927098a606107fac15",
    submitted_at: "2026-07-09T18:17:02Z",
    hidden: { tm_evid: EVID, tm_gclid: "Cj0", gclid: "Cj0KCQjw", utm_source: "google" },
    answers: [
      { type: "text", text: "Laura", field: { id: "1", type: "short_text", ref: "first_name" } },
      { type: "email", email: "laura@example.com", field: { id: "2", type: "email" } },
      { type: "phone_number", phone_number: "+14155550100", field: { id: "3", type: "phone_number" } },
      { type: "number", number: 5, field: { id: "4", type: "number" } },
    ],
  },
  {
    read: { email: "laura@example.com", visitorId: EVID, clickIds: ["Cj0KCQjw"] },
    kept: {
      hidden: { tm_gclid: "Cj0", utm_source: "google" },
      answers: [{ text: "Laura" }, { type: "email" }, { phone_number: "+14155550100" }, { number: 5 }],
    },
    gone: ["hidden.tm_evid", "answers.1.email"],
  },
);

export const CONNECTORS: readonly ToolFixture[] = [stripe, stripeByZapier, calendly, typeform];
