import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { RecordConversion } from "../../shared/application/record-conversion";
import { MINUTE } from "../../shared/domain/instant";
import { factsOn, visit, visitorsOf } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { calendlyEvent, NOON, session, stripeEvent, stripeSignature } from "./builders";
import { type Native, startNative } from "./support";

let engine: Engine;
let native: Native;
let site = 500;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  native = startNative(engine);
});

const purchase = (fields = {}) => stripeEvent("checkout.session.completed", session(fields));
const status = async () => (await native.integration("stripe", site))?.lastReceived;
const counted = async () => (await factsOn(engine, site)).conversions;

describe("what is taken", () => {
  test("a payment: recorded, credited to the visit its visitor id leads to, and told of", async () => {
    const visits = [visit("v1", NOON - MINUTE, "google", "Paid Search")];
    native = startNative(engine, { visitors: visitorsOf({ "visitor-1": visits }) });
    const token = await native.connect("stripe", site);
    const answer = await native.post("stripe", token, purchase({ client_reference_id: "visitor-1" }));
    expect(answer).toEqual({
      status: 200,
      body: {
        ok: true,
        outcome: "accepted",
        event_type: "Purchase",
        event_id: expect.stringMatching(/^evt_/),
        matched_by: "visitor_id",
        reason: null,
      },
    });
    expect(await counted()).toMatchObject([
      { id: answer.body.event_id, type: "Purchase", value: 49_000, source: "google", channel: "Paid Search" },
    ]);
    expect(await status()).toEqual({ at: NOON, outcome: "accepted", reason: null });
  });

  test("a booking", async () => {
    const token = await native.connect("calendly", site);
    const answer = await native.post("calendly", token, calendlyEvent());
    expect(answer).toMatchObject({ status: 200, body: { outcome: "accepted", event_type: "Schedule" } });
    expect(await counted()).toMatchObject([{ type: "Schedule", name: "Schedule", value: 0 }]);
  });

  test("what is no conversion is told with its reason, and kept as what was received last", async () => {
    const token = await native.connect("stripe", site);
    const answer = await native.post("stripe", token, stripeEvent("customer.created", {}));
    const reason = expect.stringContaining("customer.created");
    expect(answer).toMatchObject({
      status: 200,
      body: { ok: true, outcome: "ignored", event_id: null, reason },
    });
    expect(await status()).toEqual({ at: NOON, outcome: "ignored", reason });
    expect(await counted()).toEqual([]);
  });
});

describe("what is refused", () => {
  test.each([
    ["no signature", { signature: "" }],
    [
      "a signature with another secret",
      { signature: stripeSignature(JSON.stringify(purchase()), "whsec_other") },
    ],
    [
      "a signature of six minutes ago",
      { signature: stripeSignature(JSON.stringify(purchase()), undefined, NOON - 6 * MINUTE) },
    ],
  ])("%s: 401, so that the service tries again", async (_, posting) => {
    const token = await native.connect("stripe", site);
    const answer = await native.post("stripe", token, purchase(), posting);
    expect(answer).toEqual({
      status: 401,
      body: { ok: false, outcome: "bad signature", error: expect.any(String), code: "BAD_SIGNATURE" },
    });
    expect(await counted()).toEqual([]);
    expect(await status()).toMatchObject({ outcome: "bad signature" });
  });

  test("anything while there is no signing secret, with what to do", async () => {
    const token = await native.connect("stripe", site, null);
    const answer = await native.post("stripe", token, purchase());
    expect(answer).toMatchObject({
      status: 401,
      body: { code: "BAD_SIGNATURE", error: expect.stringContaining("no signing secret") },
    });
  });

  test("a message of the other service's, rightly signed: 404, as the URL is not for it", async () => {
    const token = await native.connect("stripe", site);
    expect(await native.post("calendly", token, calendlyEvent())).toMatchObject({
      status: 404,
      body: { ok: false, outcome: null, code: "NOT_FOUND" },
    });
  });

  test("unknown tokens: 404, without telling a wrong secret from a wrong site", async () => {
    const token = await native.connect("stripe", site);
    const secret = token.split("-").slice(1).join("-");
    const flipped = token.slice(0, -2) + (token.endsWith("AA") ? "BB" : "AA");
    for (const wrong of [flipped, `${site + 1}-${secret}`, `0${token}`, "", "x", "1-\0", `${token}/`]) {
      expect(await native.post("stripe", wrong, purchase())).toMatchObject({ status: 404 });
    }
    expect(await status()).toBeNull();
  });

  test("other methods: 405", async () => {
    const token = await native.connect("stripe", site);
    for (const method of ["GET", "PUT", "HEAD"]) {
      expect(await native.post("stripe", token, purchase(), { method })).toMatchObject({ status: 405 });
    }
  });

  test("more than 256 KB: 413; exactly that much is read", async () => {
    const token = await native.connect("stripe", site);
    const empty = purchase({ metadata: { ballast: "" } });
    const room = 256 * 1024 - Buffer.byteLength(JSON.stringify(empty));
    const filled = (length: number) => purchase({ metadata: { ballast: "x".repeat(length) } });
    expect(await native.post("stripe", token, filled(room + 1))).toMatchObject({
      status: 413,
      body: { outcome: "oversized", code: "OVERSIZED" },
    });
    expect(await status()).toMatchObject({ outcome: "oversized" });
    expect(await native.post("stripe", token, filled(room))).toMatchObject({ status: 200 });
  });
});

describe("hostile bodies, rightly signed", () => {
  const deep = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  test.each<[string, string | Uint8Array]>([
    ["nothing", ""],
    ["half", JSON.stringify(purchase()).slice(0, -20)],
    ["no JSON", "amount=4900"],
    ["a deep nest", deep(50_000)],
    [
      "a nest within an event",
      JSON.stringify(purchase()).replace('"metadata":{}', `"metadata":{"a":${deep(50_000)}}`),
    ],
    ["null", "null"],
    ["a list", "[]"],
    ["a prototype", '{"__proto__":{"type":"invoice.paid"},"type":"constructor"}'],
    ["NUL bytes", '{"type":"\\u0000","data":{}}\u0000'],
  ])("%s", async (_, body) => {
    for (const kind of ["stripe", "calendly"] as const) {
      const token = await native.connect(kind, site);
      const answer = await native.post(kind, token, body);
      expect([200, 400, 401]).toContain(answer.status);
    }
  });

  test("bytes that are no text are never counted", async () => {
    const token = await native.connect("stripe", site);
    const raw = Buffer.from(JSON.stringify(purchase()));
    for (const body of [
      gzipSync(raw),
      Buffer.from(raw.toString(), "utf16le"),
      Buffer.concat([raw, Buffer.of(0xff)]),
    ]) {
      const answer = await native.post("stripe", token, body);
      expect([400, 401]).toContain(answer.status);
    }
    expect(await counted()).toEqual([]);
  });

  test("of any JSON: an answer, never a failure", async () => {
    const record: RecordConversion = async () => ({
      outcome: "accepted",
      event: "evt_1",
      matchedBy: null,
      link: null,
    });
    native = startNative(engine, { record });
    const tokens = {
      stripe: await native.connect("stripe", site),
      calendly: await native.connect("calendly", site),
    };
    const type = fc.constantFrom("checkout.session.completed", "invoice.paid", "invitee.created");
    const message = fc.record({
      type,
      event: type,
      data: fc.record({ object: fc.object() }),
      payload: fc.object(),
    });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom("stripe", "calendly"), message, async (kind, said) => {
        const { status } = await native.post(kind, tokens[kind], JSON.stringify(said));
        expect([200, 400]).toContain(status);
      }),
      { numRuns: 200 },
    );
  });
});
