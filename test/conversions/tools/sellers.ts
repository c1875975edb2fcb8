import { sentAsForm, sentAsJson, type ToolFixture } from "./fixture";

const EVID = "5f3c1f6e-8a41-4d0e-9c1b-2f1e5a7d9b10";

const gumroad = sentAsForm(
  "Gumroad, ping",
  {
    seller_id: "kL0psVL2admJSYRNs-OCMg==",
    product_id: "RrxGYz4t8AAt4Zu1EZZy3w==",
    product_name: "Beautiful widget",
    permalink: "wid",
    email: "calvin@example.com",
    price: "1000",
    gumroad_fee: "125",
    currency: "usd",
    quantity: "2",
    order_number: "524459995",
    sale_id: "FO8TXN-dbxYaBdahG97Y-Q==",
    "url_params[gclid]": "Cj0KCQjw",
    "url_params[_evid]": EVID,
    "variants[Size]": "L",
    referrer: "https://www.example.com",
    test: "true",
  },
  {
    read: {
      email: "calvin@example.com",
      currency: "USD",
      visitorId: EVID,
      clickIds: ["Cj0KCQjw"],
      products: [{ sku: "Beautiful widget", name: "Beautiful widget", units: 2, price: 1000 }],
    },
    kept: { price: "1000", order_number: "524459995", variants: { Size: "L" } },
    gone: ["email", "currency", "url_params"],
  },
);

const thriveCart = sentAsForm(
  "ThriveCart, order.success",
  {
    event: "order.success",
    mode: "live",
    thrivecart_account: "example",
    base_product: "1",
    order_id: "10000001",
    invoice_id: "000000001",
    currency: "USD",
    "order[charges][0][name]": "Course",
    "order[charges][0][amount]": "4900",
    "order[charges][0][amount_str]": "49.00",
    "order[total]": "4900",
    "order[total_str]": "49.00",
    "customer[id]": "1",
    "customer[email]": "  Jane.Doe@Example.COM ",
    "customer[name]": "Jane Doe",
    "customer[first_name]": "Jane",
    "customer[last_name]": "Doe",
    "customer[address][country]": "US",
    "passthrough[tm_evid]": EVID,
    "passthrough[fbclid]": "IwAR0",
  },
  {
    read: {
      email: "Jane.Doe@Example.COM",
      firstName: "Jane",
      lastName: "Doe",
      currency: "USD",
      orderId: "10000001",
      visitorId: EVID,
      clickIds: ["IwAR0"],
    },
    kept: {
      event: "order.success",
      order: { charges: [{ name: "Course", amount: "4900" }], total_str: "49.00" },
      customer: { id: "1", name: "Jane Doe", address: { country: "US" } },
    },
    gone: ["customer.email", "customer.first_name", "passthrough", "order_id"],
  },
);

const paddle = sentAsJson(
  "Paddle, transaction.completed",
  {
    event_id: "evt_01hv8x29kz0t586xy6zn1a62ny",
    event_type: "transaction.completed",
    data: {
      id: "txn_01hv8wptq8987qeep44cyrewp9",
      customer_id: "ctm_01hv6y1jedq4p1n0yqn5ba3ky4",
      currency_code: "JPY",
      custom_data: { order_id: "A-17", tm_visitor_id: EVID },
      items: [
        { price: { id: "pri_01", unit_price: { amount: "3000", currency_code: "JPY" } }, quantity: 10 },
        { product_id: "pro_01", name: "Seat", price: "3000", quantity: 2 },
      ],
    },
  },
  {
    read: {
      orderId: "A-17",
      visitorId: EVID,
      products: [{ sku: "pro_01", name: "Seat", units: 2, price: 3000 }],
    },
    kept: { event_type: "transaction.completed", data: { currency_code: "JPY" } },
    gone: ["data.custom_data"],
  },
);

export const SELLERS: readonly ToolFixture[] = [gumroad, thriveCart, paddle];
