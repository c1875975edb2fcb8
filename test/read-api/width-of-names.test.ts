import fc from "fast-check";
import type { Fact } from "../../shared/domain/analytics/fact";
import { UNATTRIBUTED } from "../../shared/domain/analytics/fact";
import { classify } from "../../shared/domain/attribution/channel";
import { readTouch } from "../../shared/domain/attribution/touch";
import { eventKind } from "../../shared/domain/conversion/event-type";
import { productLines } from "../../shared/domain/conversion/payload/products";
import { readPayload } from "../../shared/domain/conversion/reading";
import { HOUR } from "../../shared/domain/instant";
import { parsePage, pathOf } from "../../shared/domain/tracking/address";
import { transact } from "../../shared/storage/transact";
import { analyticsOver } from "../support/analytics";
import { type Engine, startEngine } from "../support/engine";
import { expectAgreement } from "./agreement";
import { askAll } from "./ask-all";
import { referenceBodies } from "./reference";

const FIRST = Date.UTC(2024, 1, 27);
const LONGEST = { source: 253, path: 512, product: 200, event: 100 };

let engine: Engine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

/** Any UTF-16 units: control characters, halves of characters, whatever. */
const anything = fc
  .array(fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff })), { maxLength: 700 })
  .map((units) => String.fromCharCode(...units));
const name = fc.oneof(
  anything,
  fc.constantFrom("(other)", "www.(other)", "(none)", "a\u0000b", "\ud800", "x".repeat(2_000), "__proto__"),
);

/** Rows are known by their names joined by U+0000, and stored as UTF-8: names must have neither it nor halves. */
function expectTame(text: string, longest: number): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text).not.toMatch(/\p{Cc}/u);
  expect(text.length).toBeLessThanOrEqual(longest);
}

describe("whatever a stranger sends", () => {
  it("as utm_source or referrer becomes a source that can be kept, and never the name of one of our own rows", () => {
    const landing = fc.oneof(
      name.map((source) => `https://shop.example/?${new URLSearchParams({ utm_source: source })}`),
      name.map((source) => `https://shop.example/?utm_source=${source}`),
    );
    const referrer = fc.option(name.map((host) => `https://${host}/`));
    fc.assert(
      fc.property(landing, referrer, (landing, referrer) => {
        const { source } = classify(readTouch(landing, referrer), "shop.example");
        expectTame(source, LONGEST.source);
        expect(source).not.toBe("");
        expect(["(other)", "(none)"]).not.toContain(source);
      }),
    );
  });

  it("as a page becomes a path that can be kept", () => {
    fc.assert(
      fc.property(name, name, fc.boolean(), (path, hash, hashRouting) => {
        const url = parsePage(`https://shop.example/${path}#/${hash}`);
        if (url) expectTame(pathOf(url, hashRouting), LONGEST.path);
        expect(url && pathOf(url, hashRouting)[0]).not.toBe("(");
      }),
    );
  });

  it("as products or as an event's name becomes names that can be kept", () => {
    fc.assert(
      fc.property(name, name, (sku, title) => {
        const { products } = readPayload({ items: [{ sku, name: title }] });
        for (const line of productLines(products, "USD")) {
          expectTame(line.sku, LONGEST.product);
          expectTame(line.name, LONGEST.product);
        }
        expectTame(eventKind(title)?.name ?? "", LONGEST.event);
      }),
    );
  });
});

test("rows of strange names are neither lost nor mixed up, live or sealed", async () => {
  const STRANGE = [
    ...["", " ", "(other)", "__proto__", "constructor", "toString", "valueOf", "null", "0", "-0", "1e3"],
    ...["a", "A", "á", "a\u0301", "a,b", "a b", 'a"b', "a\\b", "a#b", "a\nb", "[]", "{}"],
    ...["שלום", "\u202eabc", "👩‍👩‍👧", "𝒳", "\uffff", "x".repeat(2_000), `${"x".repeat(1_999)}y`],
  ];
  const facts = STRANGE.flatMap((text, i): Fact[] => {
    const at = FIRST + i * 1_000;
    const [visit, visitor, channel] = [`v${i}`, i + 1, STRANGE[(i * 7) % STRANGE.length] ?? ""];
    const context = { visit, visitor, source: text, channel, country: text };
    const event = { kind: "conversion", version: 1, at, visitor, source: text, channel } as const;
    const line = { sku: text, name: channel, units: 1, revenue: 10 * i };
    return [
      { kind: "visit", ...context, at, path: text, isFirst: true },
      { kind: "pageview", ...context, at, id: "p", path: text },
      { ...event, id: `evt_a${i}`, type: "Lead", name: "Lead", value: 0, products: [] },
      { ...event, id: `evt_b${i}`, type: "Purchase", name: "Purchase", value: 1_000, products: [line] },
      { ...event, ...UNATTRIBUTED, id: `evt_c${i}`, type: "Custom", name: text, value: 0, products: [] },
    ];
  });
  const core = (now: number) => analyticsOver(engine, engine.dynamo, () => now);
  const { log } = core(FIRST);
  await log.append(
    1,
    facts.filter((fact) => fact.kind !== "conversion"),
  );
  for (const fact of facts)
    if (fact.kind === "conversion") await transact(engine.dynamo, await log.conversionWrites(1, [fact]));
  const question = { from: "2024-02-27", to: "2024-02-27", timezone: "UTC", limit: 100 };
  for (const now of [FIRST + HOUR, FIRST + 48 * HOUR]) {
    const bodies = await askAll(core(now), now)(1, { ...question, limit: "100" });
    expect(bodies).toEqual(referenceBodies({ facts, funnels: [] }, question));
    expectAgreement(bodies);
    await core(now + 24 * HOUR).sealAll(1);
  }
});
