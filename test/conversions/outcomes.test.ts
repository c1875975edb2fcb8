import { gzipSync } from "node:zlib";
import { MAX_BODY_BYTES } from "../../shared/domain/conversion/payload/body";
import { HOUR, MINUTE } from "../../shared/domain/instant";
import { createConversionReader } from "../../shared/storage/conversion/conversions";
import { type Engine, startEngine } from "../support/engine";
import { factsOn, type Inbound, itemsOf, NOON, startInbound, visit, visitorsOf } from "./support";

let engine: Engine;
let inbound: Inbound;
/** Each test has a site of its own. */
let site = 100;

const EVID = "evid-of-ann-1234567890";

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  inbound = startInbound(engine, {
    visitors: visitorsOf({
      [EVID]: [
        visit("v1", NOON - 48 * HOUR, "google", "Paid Search"),
        visit("v2", NOON - MINUTE, "(direct)", "Direct"),
      ],
    }),
  });
});

describe("accepted", () => {
  test("a purchase by visitor id is answered 200 with the summary, and is in the figures, credited", async () => {
    const token = await inbound.webhook("Purchase", site);
    const answer = await inbound.post(token, {
      evid: EVID,
      email: "Ann@Example.com",
      phone: "+49 30 123",
      first_name: "Ann",
      last_name: "Lee",
      value: "49.90",
      currency: "eur",
      order_id: 1001,
      products: [{ sku: "S1", name: "Shirt", quantity: 2, price: 24.95 }],
      plan: "pro",
    });
    expect(answer).toEqual({
      status: 200,
      body: {
        ok: true,
        outcome: "accepted",
        event_type: "Purchase",
        event_name: "Purchase",
        event_id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
        matched_by: "visitor_id",
        found: {
          email: true,
          phone: true,
          first_name: true,
          last_name: true,
          value: true,
          currency: true,
          order_id: true,
          visitor_id: true,
          click_id: false,
        },
        properties: 2,
      },
    });
    const id = String(answer.body.event_id);
    expect((await factsOn(engine, site)).conversions).toEqual([
      {
        kind: "conversion",
        id,
        version: 1,
        at: NOON,
        type: "Purchase",
        name: "Purchase",
        visitor: 1,
        source: "google",
        channel: "Paid Search",
        value: 49_900,
        products: [{ sku: "S1", name: "Shirt", units: 2, revenue: 49_900 }],
      },
    ]);
    expect(inbound.woken).toEqual([{ site, event: id, version: 1 }]);
    expect(await createConversionReader(engine.dynamo, engine.tables.Identity).find(site, id)).toEqual({
      type: "Purchase",
      name: "Purchase",
      site,
      id,
      at: NOON,
      value: 49_900,
      currency: "EUR",
      orderId: "1001",
      source: "webhook",
      via: expect.stringMatching(/^whin_/),
      contact: { email: "Ann@Example.com", phone: "+49 30 123", firstName: "Ann", lastName: "Lee" },
      clickId: null,
      properties: {
        products: [{ sku: "S1", name: "Shirt", quantity: 2, price: 24.95 }],
        plan: "pro",
      },
      products: [{ sku: "S1", name: "Shirt", units: 2, revenue: 49_900 }],
      match: {
        by: "visitor_id",
        evid: EVID,
        visitor: 1,
        credited: { visit: "v1", at: NOON - 48 * HOUR, source: "google", channel: "Paid Search" },
        latest: { visit: "v2", at: NOON - MINUTE },
      },
      link: null,
      version: 1,
    });
  });

  test.each([
    ["Lead", "Lead", "Lead"],
    ["Schedule", "Schedule", "Schedule"],
    ["Webinar Signup", "Custom", "Webinar Signup"],
  ])("a webhook of event type %s records %s events named %s", async (eventType, type, name) => {
    const { body } = await inbound.post(await inbound.webhook(eventType, site), { email: "a@b.example" });
    expect(body).toMatchObject({ outcome: "accepted", event_type: type, event_name: name });
    expect((await factsOn(engine, site)).conversions).toMatchObject([{ type, name, value: 0, products: [] }]);
  });

  test("a visitor id without a visit counts, with no ad credited (rule 4)", async () => {
    const { body } = await inbound.post(await inbound.webhook("Lead", site), { evid: "nobody-1234567890" });
    expect(body).toMatchObject({ outcome: "accepted", matched_by: null, found: { visitor_id: true } });
    expect((await factsOn(engine, site)).conversions).toMatchObject([
      { visitor: null, source: "(none)", channel: "Unattributed" },
    ]);
  });

  test("an array of one object is that object, as some tools send it", async () => {
    const { body } = await inbound.post(await inbound.webhook("Lead", site), [{ email: "a@b.example" }]);
    expect(body).toMatchObject({ outcome: "accepted", found: { email: true } });
  });

  test.each<[string, string | Uint8Array, Record<string, string>]>([
    [
      "a form",
      `customer[email]=a%40b.example&evid=${EVID}`,
      { "content-type": "application/x-www-form-urlencoded" },
    ],
    [
      "a multipart form",
      `--X\r\ncontent-disposition: form-data; name="email"\r\n\r\na@b.example\r\n--X\r\ncontent-disposition: form-data; name="evid"\r\n\r\n${EVID}\r\n--X--`,
      { "content-type": "multipart/form-data; boundary=X" },
    ],
    [
      "JSON sent as text",
      `{"customer":{"email":"a@b.example"},"evid":"${EVID}"}`,
      { "content-type": "text/plain" },
    ],
    ["gzip", gzipSync(`{"email":"a@b.example","evid":"${EVID}"}`), { "content-encoding": "gzip" }],
  ])("%s is read like any other", async (_, body, headers) => {
    const answer = await inbound.post(await inbound.webhook("Lead", site), body, "POST", headers);
    expect(answer).toMatchObject({
      status: 200,
      body: { outcome: "accepted", matched_by: "visitor_id", found: { email: true }, properties: 0 },
    });
  });

  test("a lost wake-up does not change the answer", async () => {
    const { bestEffort } = await import("../../shared/lambda/best-effort");
    inbound = startInbound(engine, {
      wakeRelay: () => bestEffort("lost", () => Promise.reject(new Error("queue down"))),
    });
    const { status, body } = await inbound.post(await inbound.webhook("Lead", site), {
      email: "a@b.example",
    });
    expect([status, body.outcome]).toEqual([200, "accepted"]);
  });
});

describe("deduped", () => {
  test("the same e-mail again on one day is answered 200 with the first event's id, and counts once", async () => {
    const token = await inbound.webhook("Lead", site);
    const first = await inbound.post(token, { email: "ann@example.com" });
    const second = await inbound.post(token, { email: " ANN@example.com ", phone: "1" });
    expect(second).toMatchObject({
      status: 200,
      body: { ok: true, outcome: "deduped", event_id: first.body.event_id },
    });
    expect((await factsOn(engine, site)).conversions).toHaveLength(1);
    expect(inbound.woken).toHaveLength(1);
  });
});

describe("ignored", () => {
  test.each(["{}", "[]", "null", '{"email":""}', '{"email":null,"phone":"  "}', '{"currency":"USD"}'])(
    "%s holds nothing to record: 200, and nothing is recorded",
    async (body) => {
      const answer = await inbound.post(await inbound.webhook("Lead", site), body);
      expect(answer).toMatchObject({
        status: 200,
        body: { ok: true, outcome: "ignored", event_id: null, matched_by: null, properties: 0 },
      });
      expect((await factsOn(engine, site)).conversions).toEqual([]);
    },
  );
});

describe("parse error", () => {
  test.each([
    ["", "empty"],
    [" \n", "empty"],
    ["{", "not valid JSON"],
    ['{"a":1', "not valid JSON"],
    ["email=a@b.example", "not valid JSON"],
    ['"text"', "not a JSON object"],
    ["5", "not a JSON object"],
    ['[{"a":1},{"a":2}]', "array of several"],
    ["[[]]", "array of several"],
    [new Uint8Array([0x7b, 0xff, 0x7d]), "not valid UTF-8"],
  ])("%j: 400", async (body, problem) => {
    const answer = await inbound.post(await inbound.webhook("Lead", site), body);
    expect(answer).toEqual({
      status: 400,
      body: {
        ok: false,
        outcome: "parse error",
        code: "PARSE_ERROR",
        error: expect.stringContaining(problem),
      },
    });
  });
});

describe("oversized", () => {
  const padded = (bytes: number) => `{"email":"a@b.example","note":"${"x".repeat(bytes - 33)}"}`;

  test("256 KB exactly is accepted, one byte more is 413", async () => {
    const token = await inbound.webhook("Lead", site);
    expect(Buffer.byteLength(padded(MAX_BODY_BYTES))).toBe(262_144);
    expect(await inbound.post(token, padded(MAX_BODY_BYTES))).toMatchObject({ status: 200 });
    expect(await inbound.post(token, padded(MAX_BODY_BYTES + 1))).toEqual({
      status: 413,
      body: { ok: false, outcome: "oversized", code: "OVERSIZED", error: expect.stringContaining("256 KB") },
    });
  });

  test("what unpacks to more than 256 KB is oversized too", async () => {
    const answer = await inbound.post(
      await inbound.webhook("Lead", site),
      gzipSync(padded(MAX_BODY_BYTES + 1)),
      "POST",
      { "content-encoding": "gzip" },
    );
    expect(answer).toMatchObject({ status: 413, body: { outcome: "oversized" } });
  });

  test("size is counted in bytes, not characters, also of a base64 body", async () => {
    const token = await inbound.webhook("Lead", site);
    const wide = `{"note":"${"é".repeat(MAX_BODY_BYTES / 2)}"}`;
    expect(wide.length).toBeLessThan(MAX_BODY_BYTES);
    expect((await inbound.post(token, wide)).status).toBe(413);
    expect((await inbound.post(token, Buffer.from(padded(MAX_BODY_BYTES)))).status).toBe(200);
  });
});

describe("unknown address or method", () => {
  test("a token that was never given out, or of a webhook deleted, is 404 whatever the body", async () => {
    const real = await inbound.webhook("Lead", site);
    const wrongSecret = real.slice(0, -1) + (real.endsWith("A") ? "B" : "A");
    const wrongSite = real.replace(/^\d+/, "999999");
    const hostile = ["", "x", "../..", "%00", "1-2-3", `${real}x`, "9".repeat(5_000)];
    for (const token of [wrongSecret, wrongSite, ...hostile]) {
      expect(await inbound.post(token, "{")).toEqual({
        status: 404,
        body: { ok: false, outcome: null, code: "NOT_FOUND", error: expect.any(String) },
      });
    }
  });

  test("any method but POST is 405", async () => {
    const token = await inbound.webhook("Lead", site);
    expect(await inbound.post(token, {}, "PUT")).toMatchObject({
      status: 405,
      body: { code: "METHOD_NOT_ALLOWED" },
    });
  });
});

test("the secret of a receiving URL is nowhere to be read", async () => {
  const token = await inbound.webhook("Lead", site);
  const secret = token.split("-").slice(2).join("-");
  expect(secret).toHaveLength(43);
  expect(JSON.stringify(await itemsOf(engine, "Config"))).not.toContain(secret);
});
