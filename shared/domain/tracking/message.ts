import * as z from "zod";

/** What the collector puts on the traffic queue: the hits of one request, on our clock and without personal data in addresses. */
const instant = z.int();

const visitSchema = z.object({
  id: z.string(),
  at: instant,
  path: z.string(),
  landingUrl: z.string(),
  referrer: z.string().nullable(),
  browserIds: z.object({
    fbp: z.string().optional(),
    fbc: z.string().optional(),
    ttp: z.string().optional(),
    ga: z.string().optional(),
  }),
});

const base = {
  at: instant,
  /** Whether this hit must also begin the visit. */
  first: z.boolean(),
  visit: visitSchema,
  page: z.object({ id: z.string(), index: z.int(), path: z.string(), at: instant }),
};

const hitSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pageview"), ...base }),
  z.object({ kind: z.literal("attention"), ...base, visibleMs: z.number() }),
  z.object({
    kind: z.literal("identify"),
    ...base,
    contact: z.object({
      email: z.string().optional(),
      phone: z.string().optional(),
      first_name: z.string().optional(),
      last_name: z.string().optional(),
    }),
  }),
  z.object({
    kind: z.literal("event"),
    ...base,
    name: z.string(),
    properties: z.record(z.string(), z.json()),
  }),
]);

export const trafficMessageSchema = z.object({
  site: z.int().positive(),
  received: instant,
  evid: z.string(),
  /** ISO 3166-1 alpha-2, or `(unknown)`. */
  country: z.string(),
  gpc: z.boolean(),
  hits: z.array(hitSchema),
});

export type TrafficMessage = z.infer<typeof trafficMessageSchema>;
export type TrafficHit = z.infer<typeof hitSchema>;
