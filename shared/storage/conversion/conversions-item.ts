import * as z from "zod";
import { type ConversionEvent, EVENT_SOURCES } from "../../domain/conversion/event";
import type { JsonObject } from "../../domain/conversion/json";
import type { Link } from "../../domain/identity/link";

const existingEmail = z.string();
const linkSchema = z.discriminatedUnion("status", [
  z.object({ existingEmail, status: z.literal("linked"), person: z.string() }),
  z.object({ existingEmail, status: z.literal("pending"), until: z.number() }),
  z.object({ existingEmail, status: z.literal("not_found") }),
  z.object({
    existingEmail,
    status: z.literal("conflict"),
    reason: z.literal("paid_email_linked_elsewhere"),
  }),
  z.object({
    existingEmail,
    status: z.literal("ignored"),
    reason: z.enum(["invalid_existing_email", "same_as_email", "no_paid_email"]),
  }),
]) satisfies z.ZodType<Link>;

const visitMoment = z.object({ visit: z.string(), at: z.number() });

/** A recorded conversion as an item of the Identity table. */
const itemSchema = z.object({
  site: z.number(),
  event: z.string(),
  type: z.enum(["Lead", "Schedule", "Purchase", "Custom"]),
  name: z.string(),
  at: z.number(),
  value: z.number().nullable(),
  currency: z.string(),
  order_id: z.string().nullable(),
  source: z.enum(EVENT_SOURCES),
  via: z.string(),
  contact: z.object({
    email: z.string().nullable(),
    phone: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
  }),
  click_id: z.string().nullable(),
  /** As JSON: an item's maps may nest 32 levels at most, and this keeps numbers and odd names as they are. */
  properties: z.string(),
  products: z.array(z.object({ sku: z.string(), name: z.string(), units: z.number(), revenue: z.number() })),
  match: z
    .object({
      by: z.enum(["visitor_id", "click_id", "email"]),
      evid: z.string(),
      visitor: z.number(),
      credited: visitMoment.extend({ source: z.string(), channel: z.string() }),
      latest: visitMoment,
    })
    .nullable(),
  link: linkSchema.nullable(),
  version: z.number(),
});

export function toItem(event: ConversionEvent): z.infer<typeof itemSchema> {
  const { site, id, type, name, at, value, currency, orderId, source, via, contact, clickId } = event;
  return {
    site,
    event: id,
    type,
    name,
    at,
    value,
    currency,
    order_id: orderId,
    source,
    via,
    contact: {
      email: contact.email,
      phone: contact.phone,
      first_name: contact.firstName,
      last_name: contact.lastName,
    },
    click_id: clickId,
    properties: JSON.stringify(event.properties),
    products: [...event.products],
    match: event.match,
    link: event.link,
    version: event.version,
  };
}

export function fromItem(stored: unknown): ConversionEvent {
  const { event, order_id, contact, click_id, properties, ...same } = itemSchema.parse(stored);
  return {
    ...same,
    id: event,
    orderId: order_id,
    contact: {
      email: contact.email,
      phone: contact.phone,
      firstName: contact.first_name,
      lastName: contact.last_name,
    },
    clickId: click_id,
    properties: JSON.parse(properties) as JsonObject,
  };
}
