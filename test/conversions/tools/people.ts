import { sentAsForm, sentAsJson, type ToolFixture } from "./fixture";

const EVID = "5f3c1f6e-8a41-4d0e-9c1b-2f1e5a7d9b10";
const version = (value: string) => ({
  value,
  versions: [{ value, "source-type": "FORM", timestamp: 1_752_062_400_000 }],
});

const hubSpot = sentAsJson(
  "HubSpot, workflow webhook",
  {
    vid: 2251,
    "portal-id": 62515,
    "is-contact": true,
    properties: {
      hubspotscore: version("12"),
      firstname: version("Adrian"),
      lastname: version("Mott"),
      email: version("adrian@example.com"),
      phone: version("+15551234567"),
      tm_evid: version(EVID),
      createdate: version("1394723410171"),
    },
    "identity-profiles": [{ vid: 2251, identities: [{ type: "EMAIL", value: "adrian@example.com" }] }],
    "associated-company": { "company-id": 1, properties: { name: version("HubSpot") } },
  },
  {
    read: {
      email: "adrian@example.com",
      phone: "+15551234567",
      firstName: "Adrian",
      lastName: "Mott",
      visitorId: EVID,
    },
    kept: {
      vid: 2251,
      properties: { hubspotscore: { value: "12" }, createdate: { value: "1394723410171" } },
    },
    gone: ["properties.email.value", "properties.tm_evid.value"],
  },
);

const activeCampaign = sentAsForm(
  "ActiveCampaign, subscribe",
  {
    type: "subscribe",
    date_time: "2026-07-09T09:03:00-05:00",
    initiated_by: "public",
    list: "0",
    "contact[id]": "42",
    "contact[email]": "test@example.com",
    "contact[first_name]": "Tést",
    "contact[last_name]": "Test & Co",
    "contact[phone]": "+1 (312) 201-0300",
    "contact[ip]": "127.0.0.1",
    "contact[tags]": "tag1, tag2",
    "contact[fields][your_birthday]": "12/10/1991",
    "contact[fields][evid]": EVID,
    "contact[fields][17]": "seventeen",
    customer_acct_id: "0",
  },
  {
    read: {
      email: "test@example.com",
      phone: "+1 (312) 201-0300",
      firstName: "Tést",
      lastName: "Test & Co",
      visitorId: EVID,
    },
    kept: {
      type: "subscribe",
      contact: { id: "42", tags: "tag1, tag2", fields: { your_birthday: "12/10/1991", 17: "seventeen" } },
    },
    gone: ["contact.email", "contact.fields.evid"],
  },
);

const goHighLevel = sentAsJson(
  "GoHighLevel, workflow webhook with custom data",
  {
    contact_id: "ocQHyuzHvysMo5N5VsXc",
    first_name: "Jo",
    last_name: "Lane",
    full_name: "Jo Lane",
    email: "jo.paid@example.com",
    phone: "+15125550100",
    tags: "vip",
    country: "US",
    date_created: "2026-07-09T12:00:00.000Z",
    location: { name: "Agency", id: "ve9EPM428h8vShlRW1KT" },
    workflow: { id: "1", name: "Paid" },
    attributionSource: { sessionSource: "Paid Social", fbclid: "IwAR0", medium: "cpc" },
    customData: { existing_email: "jo@example.com", value: "$1,234.50", order_id: "INV-7", visitor_id: EVID },
  },
  {
    read: {
      email: "jo.paid@example.com",
      phone: "+15125550100",
      firstName: "Jo",
      lastName: "Lane",
      amount: 1234.5,
      orderId: "INV-7",
      visitorId: EVID,
      clickIds: ["IwAR0"],
      existingEmail: "jo@example.com",
    },
    kept: { full_name: "Jo Lane", attributionSource: { medium: "cpc" }, workflow: { name: "Paid" } },
    gone: ["customData", "attributionSource.fbclid"],
  },
);

const kajabi = sentAsJson(
  "Kajabi, purchase",
  {
    id: "evt-1",
    type: "Purchase",
    payload: {
      member_id: 2147485,
      member_email: "kay@example.com",
      offer: { id: 2149, title: "Course", price: 49 },
      member: {
        id: 2147485,
        email: "kay@example.com",
        first_name: "Kay",
        last_name: "Jay",
        phone_number: null,
      },
      payment_transaction: { id: 1, amount_paid: 4900, currency: "usd" },
    },
  },
  {
    read: { email: "kay@example.com", firstName: "Kay", lastName: "Jay", currency: "USD" },
    kept: {
      type: "Purchase",
      payload: {
        member_email: "kay@example.com",
        member: { id: 2147485 },
        payment_transaction: { amount_paid: 4900 },
      },
    },
    gone: ["payload.member.email", "payload.payment_transaction.currency"],
  },
);

const clickFunnels = sentAsJson(
  "ClickFunnels, order.created",
  {
    id: "7f2a",
    event_type: "order.created",
    subject_id: 1,
    data: {
      id: 1,
      public_id: "JNqzOe",
      order_id: 51,
      total_amount: "97.00",
      currency: "EUR",
      contact: {
        email_address: "cf@example.com",
        email: null,
        first_name: "Cleo",
        last_name: "Fox",
        phone: "+4930123456",
        custom_attributes: { tm_evid: EVID, "existing-email": "old@example.com" },
      },
      line_items: [{ id: 9, original_product: { name: "Book" }, quantity: 1 }],
    },
  },
  {
    read: {
      phone: "+4930123456",
      firstName: "Cleo",
      lastName: "Fox",
      currency: "EUR",
      orderId: "51",
      visitorId: EVID,
      products: [{ sku: "9", name: "9", units: 1, price: null }],
    },
    kept: {
      data: {
        total_amount: "97.00",
        contact: {
          email_address: "cf@example.com",
          custom_attributes: { "existing-email": "old@example.com" },
        },
      },
    },
    gone: ["data.contact.email", "data.order_id"],
  },
);

export const PEOPLE: readonly ToolFixture[] = [hubSpot, activeCampaign, goHighLevel, kajabi, clickFunnels];
