import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { createInboundHandler } from "../../functions/inbound/handler";
import { createIdentify } from "../../shared/application/identification";
import { createRecordConversion } from "../../shared/application/record-conversion";
import { claimOf } from "../../shared/domain/conversion/claim";
import type { ConversionEvent } from "../../shared/domain/conversion/event";
import { eventKind } from "../../shared/domain/conversion/event-type";
import { conversionFactOf } from "../../shared/domain/conversion/facts";
import { MAX_DEPTH } from "../../shared/domain/conversion/json";
import { DAY } from "../../shared/domain/instant";
import { fromItem, toItem } from "../../shared/storage/conversion/conversions-item";
import { type SentBody, sentBody } from "./generated";
import { NOON } from "./support";

/** A thousand by default; `FUZZ_RUNS=100000` by hand and at night. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 1_000);
/** What an item of the database holds. */
const MAX_ITEM_BYTES = 400 * 1024;

const STATUS: Readonly<Record<string, number>> = {
  accepted: 200,
  deduped: 200,
  ignored: 200,
  "parse error": 400,
  oversized: 413,
};

test(`whatever is sent, the outcome is one of the five, and what is accepted can be stored (${RUNS} bodies)`, async () => {
  const { post, recorded } = startInMemory();
  const outcomes: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(sentBody, fc.constantFrom("Purchase", "Sign up"), async (sent, token) => {
      const before = recorded.length;
      const { status, body } = await post(token, sent);
      const outcome = String(body.outcome);
      expect([outcome, status]).toEqual([outcome, STATUS[outcome]]);
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;

      const events = recorded.splice(before);
      expect(events).toHaveLength(outcome === "accepted" ? 1 : 0);
      for (const event of events) checkStorable(event);
    }),
    { numRuns: RUNS },
  );
  for (const outcome of ["accepted", "deduped", "ignored", "parse error"]) {
    expect(outcomes[outcome] ?? 0).toBeGreaterThan(RUNS / 500);
  }
}, 3_600_000);

/** The item passes its own schema, reads back as it was, and fits; and so does the fact. */
function checkStorable(event: ConversionEvent): void {
  const item = toItem(event);
  expect(fromItem(item)).toEqual({ ...event, properties: JSON.parse(JSON.stringify(event.properties)) });
  expect(storedBytes(item)).toBeLessThan(MAX_ITEM_BYTES);
  expect(storedBytes(conversionFactOf(event))).toBeLessThan(MAX_ITEM_BYTES);
  expect(depthOf(event.properties)).toBeLessThanOrEqual(MAX_DEPTH);
  expect(textsOf([item, event.properties]).filter((text) => !text.isWellFormed())).toEqual([]);
  expect(event.value === null || Number.isSafeInteger(event.value)).toBe(true);
}

/** As the database counts: UTF-8 of names and texts, and some for numbers and structure. */
function storedBytes(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (typeof value !== "object" || value === null) return 21;
  return Object.entries(value).reduce(
    (sum, [name, inner]) =>
      sum + (Array.isArray(value) ? 1 : Buffer.byteLength(name) + 1) + storedBytes(inner),
    3,
  );
}

const textsOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsOf(inner)]);
};

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)))
    : 0;

/** The handler with what it needs in memory; a token is an event type. */
function startInMemory() {
  const recorded: ConversionEvent[] = [];
  const claims = new Map<string, string>();
  const handle = createInboundHandler({
    webhooks: {
      async findByToken(token) {
        const event = eventKind(token);
        return event && { ...WEBHOOK, event };
      },
    },
    record: createRecordConversion({
      identify: createIdentify({
        people: {
          known: async (_site, email) => ({ email, person: null, secondOf: null, visitors: [], waiting: [] }),
        },
        match: async ({ emails }) => {
          await emails;
          return null;
        },
      }),
      recorded: { find: async (_site, id) => recorded.find((event) => event.id === id) ?? null },
      prepare: async () => {},
      linkLookupMs: DAY,
      wakeLinks: async () => {},
      conversions: {
        async record(event) {
          const claim = JSON.stringify(claimOf(event)?.of ?? [event.id]);
          const first = claims.get(claim);
          if (first !== undefined) return { outcome: "deduped", event: first };
          claims.set(claim, event.id);
          recorded.push(event);
          return { outcome: "accepted", event: event.id };
        },
      },
      random: randomBytes,
      wakeRelay: async () => {},
    }),
    receipts: { write: async () => {} },
    clock: () => NOON,
    random: randomBytes,
  });
  return {
    recorded,
    async post(token: string, { body, headers }: SentBody) {
      const answer = await handle({ ...REQUEST, params: { token }, body, headers });
      return { status: answer.status, body: answer.body as Record<string, unknown> };
    },
  };
}

const WEBHOOK = {
  id: "whin_fuzz",
  workspace: 1,
  site: 1,
  name: "Fuzz",
  forwardToAds: false,
  urlPreview: "...fuzz",
  created: NOON,
};
const REQUEST = {
  method: "POST",
  route: "POST /api/webhooks/in/{token}",
  path: "/",
  query: new URLSearchParams(),
  cookies: {},
  sourceIp: "192.0.2.1",
  requestId: "fuzz",
  authorizer: {},
};
