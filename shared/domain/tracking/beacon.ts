import * as z from "zod";

/** What the snippet sends to `POST /api/collect`. All times are epoch milliseconds of the browser's clock. */
const envelopeSchema = z.object({
  site: z.int().positive(),
  /** The visitor: the value of the cookie `_evid`. */
  evid: z.string().regex(/^[A-Za-z0-9_.-]{8,64}$/),
  /** When the request was sent. */
  now: z.number().nonnegative(),
  /** Global Privacy Control. */
  gpc: z.boolean().optional(),
  /** Judged one by one, so that a bad hit does not cost the good ones. */
  hits: z.array(z.unknown()).min(1),
});

export const isEvid = (text: string): boolean => envelopeSchema.shape.evid.safeParse(text).success;

const id = z.string().regex(/^[A-Za-z0-9_-]{8,40}$/);
const url = z.string().min(1).max(8_192);
const browserId = z
  .string()
  .regex(/^[\w.~-]{1,255}$/)
  .optional()
  .catch(undefined);

const base = {
  /** When it happened. */
  t: z.number().nonnegative(),
  /** No request of this visit has been acknowledged yet, so this one must also begin it. */
  first: z.boolean().default(false),
  visit: z.object({
    id,
    start: z.number().nonnegative(),
    url,
    referrer: z.string().max(8_192).optional(),
    ids: z.object({ fbp: browserId, fbc: browserId, ttp: browserId, ga: browserId }).default({}),
  }),
  page: z.object({
    id,
    /** 0 for the page the visit entered on. */
    index: z.int().min(0).max(100_000),
    url,
    /** When the page view began. */
    t: z.number().nonnegative(),
    /** Whether the part behind `#` names the page. */
    hash: z.boolean().default(false),
  }),
};

const text = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((value) => value.toWellFormed().trim());

const contactSchema = z.object({
  email: text(254)
    .transform((email) => email.toLowerCase())
    .refine((email) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    .optional(),
  phone: text(40).optional(),
  first_name: text(100).optional(),
  last_name: text(100).optional(),
});

/** Serialised, so that depth and breadth are bounded by one figure. */
const LONGEST_PROPERTIES = 4_096;
const propertiesSchema = z
  .record(z.string(), z.json())
  .refine((properties) => JSON.stringify(properties).length <= LONGEST_PROPERTIES);

const hitSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("pageview"), ...base }),
  z.object({ kind: z.literal("attention"), ...base, visibleMs: z.number().min(0).max(86_400_000) }),
  z.object({ kind: z.literal("identify"), ...base, contact: contactSchema }),
  z.object({
    kind: z.literal("event"),
    ...base,
    name: text(100).refine((name) => name !== ""),
    properties: propertiesSchema.default({}),
  }),
]);

export type Envelope = z.infer<typeof envelopeSchema>;
export type BeaconHit = z.infer<typeof hitSchema>;

/** Reads a request's body; null when it is no beacon at all. Never throws. */
export function readEnvelope(body: Uint8Array): Envelope | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return envelopeSchema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}

/** Reads one hit; null when it is none. Never throws, however deep it nests. */
export function readHit(value: unknown): BeaconHit | null {
  try {
    return hitSchema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}
