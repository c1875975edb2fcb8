import { sentAsJson, type ToolFixture } from "./fixture";

const EVID = "5f3c1f6e-8a41-4d0e-9c1b-2f1e5a7d9b10";

const shopify = sentAsJson(
  "Shopify, orders/create",
  {
    id: 5_820_982_911_946,
    admin_graphql_api_id: "gid://shopify/Order/5820982911946",
    contact_email: "jon@example.com",
    created_at: "2026-07-09T16:09:54-04:00",
    currency: "EUR",
    current_total_price: "398.00",
    customer_locale: "en",
    email: "jon@example.com",
    landing_site: "/products/ipod?fbclid=IwAR0",
    name: "#9999",
    note_attributes: [
      { name: "_evid", value: EVID },
      { name: "gclid", value: "Cj0KCQjw" },
      { name: "gift_wrap", value: "3" },
    ],
    order_number: 1234,
    phone: null,
    total_price: "398.00",
    total_price_set: { shop_money: { amount: "398.00", currency_code: "EUR" } },
    billing_address: {
      first_name: "Steve",
      last_name: "Shipper",
      phone: "555-555-SHIP",
      company: "Shipping",
    },
    customer: {
      id: 115310627314,
      email: "john@example.com",
      first_name: "John",
      last_name: "Smith",
      phone: null,
      default_address: { first_name: null, phone: "555-625-1199" },
    },
    discount_applications: [{ type: "manual", value: "30.0", value_type: "fixed_amount", title: "SUMMER" }],
    line_items: [
      {
        id: 8665503117664,
        name: "IPod Nano - 8GB",
        price: "199.00",
        product_id: 632910392,
        quantity: 2,
        sku: "IPOD2008PINK",
        title: "IPod Nano",
        properties: [],
      },
      { id: 1, name: "Case", price: "0.00", product_id: 7, quantity: 1, sku: "", title: "Case" },
    ],
    fulfillments: [],
    refunds: [],
  },
  {
    read: {
      email: "jon@example.com",
      phone: "555-555-SHIP",
      firstName: "Steve",
      lastName: "Shipper",
      // An order's total is called `total_price`; the one `value` in it is a discount's.
      currency: "EUR",
      visitorId: EVID,
      clickIds: ["Cj0KCQjw"],
      products: [
        { sku: "IPOD2008PINK", name: "IPod Nano - 8GB", units: 2, price: 199 },
        { sku: "7", name: "Case", units: 1, price: 0 },
      ],
    },
    kept: {
      name: "#9999",
      total_price: "398.00",
      discount_applications: [{ value: "30.0" }],
      contact_email: "jon@example.com",
      customer: { email: "john@example.com", first_name: "John" },
      billing_address: { company: "Shipping" },
      note_attributes: [{ name: "_evid" }, { name: "gclid" }, { name: "gift_wrap", value: "3" }],
    },
    gone: ["email", "phone", "currency", "billing_address.first_name", "note_attributes.0.value"],
  },
);

const wooCommerce = sentAsJson(
  "WooCommerce, order.created",
  {
    id: 727,
    parent_id: 0,
    number: "727",
    order_key: "wc_order_58d2d042d1d",
    status: "processing",
    currency: "USD",
    total: "29.35",
    billing: {
      first_name: "John",
      last_name: "Doe",
      address_1: "969 Market",
      email: "john.doe@example.com",
      phone: "(555) 555-5555",
    },
    shipping: { first_name: "Jane", last_name: "Doe", address_1: "969 Market", phone: "" },
    meta_data: [
      { id: 13106, key: "_download_permissions_granted", value: "1" },
      { id: 13107, key: "tm_evid", value: EVID, display_key: "tm_evid", display_value: EVID },
    ],
    line_items: [
      {
        id: 315,
        name: "Woo Single #1",
        product_id: 93,
        variation_id: 0,
        quantity: 2,
        total: "6.00",
        meta_data: [{ id: 2095, key: "pa_color", value: "black" }],
        sku: "",
        price: 3,
      },
      { id: 316, name: "Ship Your Idea", product_id: 22, quantity: 1, sku: "Bar3", price: "12" },
    ],
    shipping_lines: [{ id: 317, method_title: "Flat Rate", total: "10.00", meta_data: [] }],
  },
  {
    read: {
      email: "john.doe@example.com",
      phone: "(555) 555-5555",
      firstName: "John",
      lastName: "Doe",
      currency: "USD",
      visitorId: EVID,
      products: [
        { sku: "93", name: "Woo Single #1", units: 2, price: 3 },
        { sku: "Bar3", name: "Ship Your Idea", units: 1, price: 12 },
      ],
    },
    kept: {
      id: 727,
      total: "29.35",
      billing: { address_1: "969 Market" },
      shipping: { first_name: "Jane", last_name: "Doe" },
      meta_data: [{ value: "1" }, { key: "tm_evid" }],
    },
    gone: ["billing.email", "billing.phone", "shipping.phone", "meta_data.1.value", "currency"],
  },
);

const squarespace = sentAsJson(
  "Squarespace, order.create",
  {
    id: "585d498fdee9f31a60284a37",
    orderNumber: "3",
    customerEmail: "centeno@example.com",
    grandTotal: { value: "40.50", currency: "GBP" },
    billingAddress: { firstName: "Maria", lastName: "Centeno", countryCode: "US", phone: "+1 917 555 1234" },
    lineItems: [
      {
        id: "5a7c6b4d",
        sku: "SQ3381024",
        productId: "57a8e2f3",
        productName: "Shirt",
        quantity: 2,
        unitPricePaid: { value: "20.25", currency: "GBP" },
      },
    ],
    formSubmission: [
      { label: "Order-ID", value: "SQ-3" },
      { label: "Email", value: "Maria Centeno <Centeno@Example.com>" },
    ],
  },
  {
    read: {
      email: "Centeno@Example.com",
      phone: "+1 917 555 1234",
      firstName: "Maria",
      lastName: "Centeno",
      amount: 40.5,
      currency: "GBP",
      orderId: "SQ-3",
      products: [{ sku: "SQ3381024", name: "Shirt", units: 2, price: null }],
    },
    kept: {
      customerEmail: "centeno@example.com",
      orderNumber: "3",
      billingAddress: { countryCode: "US" },
      formSubmission: [{ label: "Order-ID" }, { label: "Email" }],
    },
    gone: ["grandTotal", "billingAddress.firstName", "formSubmission.1.value"],
  },
);

export const SHOPS: readonly ToolFixture[] = [shopify, wooCommerce, squarespace];
