import { readPayload } from "../../shared/domain/conversion/reading";
import { DAY, HOUR, SECOND } from "../../shared/domain/instant";
import { type Engine, startEngine } from "../support/engine";
import { clientOf, factsOn, type Inbound, itemsOf, NOON, startInbound } from "./support";

let engine: Engine;
let inbound: Inbound;
let site = 200;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());
beforeEach(() => {
  site++;
  inbound = startInbound(engine);
});

const outcomes = (answers: readonly { body: Record<string, unknown> }[]) =>
  Object.fromEntries(
    Object.entries(Object.groupBy(answers, ({ body }) => String(body.outcome))).map(([outcome, some]) => [
      outcome,
      some?.length,
    ]),
  );

async function posted(eventType: string, ...bodies: unknown[]) {
  const token = await inbound.webhook(eventType, site);
  const all: string[] = [];
  for (const body of bodies) all.push(String((await inbound.post(token, body)).body.outcome));
  return all;
}

describe("under concurrency", () => {
  test("of 50 identical purchases at once exactly one counts, and all are told its id", async () => {
    const token = await inbound.webhook("Purchase", site);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        inbound.post(token, { email: "ann@example.com", order_id: "A-1", value: 49 }),
      ),
    );
    expect(outcomes(answers)).toEqual({ accepted: 1, deduped: 49 });
    expect(new Set(answers.map(({ body }) => body.event_id)).size).toBe(1);
    const { conversions } = await factsOn(engine, site);
    expect(conversions.map(({ id }) => id)).toEqual([answers[0]?.body.event_id]);
    expect(inbound.woken).toHaveLength(1);
  });

  test("also across two webhooks of the same type on the site", async () => {
    const tokens = [await inbound.webhook("Lead", site), await inbound.webhook("Lead", site)];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => inbound.post(tokens[i % 2] ?? "", { email: "ann@example.com" })),
    );
    expect(outcomes(answers)).toEqual({ accepted: 1, deduped: 49 });
    expect((await factsOn(engine, site)).conversions).toHaveLength(1);
  });

  test("also across sources: what a page reported and what a webhook does is one event, whichever is first", async () => {
    const record = inbound.recorder;
    const token = await inbound.webhook("Demo", site);
    const kind = { type: "Custom", name: "Demo" } as const;
    const reported = (email: string) =>
      record({
        ...{ site, kind, source: "browser", via: "snippet", at: NOON },
        reading: readPayload({ email }, { linksEmails: false }),
      });
    const both = await Promise.all(
      Array.from({ length: 20 }, async (_, i) =>
        i % 2 ? (await inbound.post(token, { email: "ann@example.com" })).body : reported("Ann@example.com"),
      ),
    );
    expect(outcomes(both.map((body) => ({ body: { outcome: body.outcome } })))).toEqual({
      accepted: 1,
      deduped: 19,
    });
    expect((await reported("bob@example.com")).outcome).toBe("accepted");
    expect((await inbound.post(token, { email: "bob@example.com" })).body.outcome).toBe("deduped");
    expect((await factsOn(engine, site)).conversions).toHaveLength(2);
  });

  test("50 different people at once are 50 leads", async () => {
    const token = await inbound.webhook("Lead", site);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => inbound.post(token, { email: `p${i}@example.com` })),
    );
    expect(outcomes(answers)).toEqual({ accepted: 50 });
    expect((await factsOn(engine, site)).conversions).toHaveLength(50);
  });
});

describe("what is a duplicate", () => {
  const email = "ann@example.com";

  test("without an e-mail nothing is", async () => {
    expect(await posted("Lead", { phone: "1" }, { phone: "1" })).toEqual(["accepted", "accepted"]);
    expect((await factsOn(engine, site)).conversions).toHaveLength(2);
  });

  test("two event types, custom names among them, and two sites are apart", async () => {
    expect(await posted("Lead", { email })).toEqual(["accepted"]);
    expect(await posted("Schedule", { email })).toEqual(["accepted"]);
    expect(await posted("Demo", { email })).toEqual(["accepted"]);
    expect(await posted("Demo 2", { email })).toEqual(["accepted"]);
    site++;
    expect(await posted("Lead", { email })).toEqual(["accepted"]);
  });

  test("leads of one e-mail count once per UTC day: to the last millisecond, and again from the next", async () => {
    const token = await inbound.webhook("Lead", site);
    const at = async (now: number) => {
      inbound.now = now;
      return (await inbound.post(token, { email })).body.outcome;
    };
    const midnight = Date.UTC(2026, 6, 10);
    expect(await at(midnight - DAY)).toBe("accepted");
    expect(await at(midnight - 1)).toBe("deduped");
    expect(await at(midnight)).toBe("accepted");
    expect(await at(midnight + DAY - 1)).toBe("deduped");
  });

  test("purchases: order and amount together, on whatever day", async () => {
    const sale = { email, order_id: "A-1", value: 49 };
    expect(
      await posted(
        "Purchase",
        sale,
        { ...sale, value: "49.00" },
        { ...sale, order_id: "A-2" },
        { ...sale, value: 50 },
        { email, order_id: "A-1" },
      ),
    ).toEqual(["accepted", "deduped", "accepted", "accepted", "accepted"]);
    inbound.now = NOON + 400 * DAY;
    expect(await posted("Purchase", sale)).toEqual(["deduped"]);
  });

  test("purchases without an order: amount within the UTC day", async () => {
    const sale = { email, value: 49 };
    expect(await posted("Purchase", sale, sale, { email, value: 50 })).toEqual([
      "accepted",
      "deduped",
      "accepted",
    ]);
    inbound.now = NOON + 12 * HOUR;
    expect(await posted("Purchase", sale)).toEqual(["accepted"]);
  });

  test("a claim of a day expires only days after it; one of an order never", async () => {
    const claims = async () =>
      (await itemsOf(engine, "Identity")).filter((item) => String(item.pk).startsWith(`claim#${site}#`));
    await posted("Lead", { email });
    expect(await claims()).toMatchObject([{ ttl: (Date.UTC(2026, 6, 10) + 3 * DAY) / SECOND }]);
    site++;
    await posted("Purchase", { email, order_id: "1" });
    expect(await claims()).toEqual([expect.not.objectContaining({ ttl: expect.anything() })]);
  });
});

describe("when something fails on the way", () => {
  test("a crash after the commit: the tool's retry is deduped, and the outbox still holds the event", async () => {
    inbound = startInbound(engine, { wakeRelay: () => Promise.reject(new Error("killed")) });
    const token = await inbound.webhook("Purchase", site);
    const sale = { email: "ann@example.com", order_id: "A-1", value: 49 };
    expect((await inbound.post(token, sale)).status).toBe(500);
    const retry = await inbound.post(token, sale);
    expect(retry.body.outcome).toBe("deduped");
    expect((await factsOn(engine, site)).conversions).toMatchObject([{ id: retry.body.event_id }]);
    const outbox = (await itemsOf(engine, "Deliveries")).map((item) => item.pk);
    expect(outbox).toContain(`outbox#${site}#${retry.body.event_id}`);
  });

  test.each([
    ["with an e-mail", { email: "ann@example.com" }],
    ["without an e-mail", { phone: "123" }],
  ])("a transaction that took effect though its answer was lost counts once (%s)", async (_, body) => {
    const dynamo = clientOf(engine);
    const sent = tamper(dynamo, (n, error) => {
      if (n === 1 && !error) throw Object.assign(new Error("answer lost"), { name: "TimeoutError" });
    });
    inbound = startInbound(engine, { dynamo });
    const answer = await inbound.post(await inbound.webhook("Lead", site), body);
    expect(answer).toMatchObject({ status: 200, body: { outcome: "accepted" } });
    expect(sent()).toBe(2);
    expect((await factsOn(engine, site)).conversions).toMatchObject([{ id: answer.body.event_id }]);
    dynamo.destroy();
  });

  test("the same holds when the second try carries another request token", async () => {
    const dynamo = clientOf(engine);
    tamper(dynamo, (n) => {
      if (n === 1) throw cancelledFor("TransactionConflict");
    });
    inbound = startInbound(engine, { dynamo });
    const answer = await inbound.post(await inbound.webhook("Lead", site), { email: "ann@example.com" });
    expect(answer.body.outcome).toBe("accepted");
    expect((await factsOn(engine, site)).conversions).toHaveLength(1);
    dynamo.destroy();
  });

  test.each(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"])(
    "a transaction cancelled by %s is tried again",
    async (code) => {
      const dynamo = clientOf(engine);
      const sent = tamper(
        dynamo,
        (n) => {
          if (n <= 2) throw cancelledFor(code);
        },
        "instead",
      );
      inbound = startInbound(engine, { dynamo });
      const answer = await inbound.post(await inbound.webhook("Lead", site), { email: "ann@example.com" });
      expect(answer.body.outcome).toBe("accepted");
      expect(sent()).toBe(3);
      dynamo.destroy();
    },
  );

  test("when it cannot be recorded the answer is 500 and nothing is half-recorded", async () => {
    const dynamo = clientOf(engine);
    tamper(
      dynamo,
      () => {
        throw Object.assign(new Error("no"), { name: "AccessDeniedException" });
      },
      "instead",
    );
    inbound = startInbound(engine, { dynamo });
    const answer = await inbound.post(await inbound.webhook("Lead", site), { email: "ann@example.com" });
    expect(answer).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
    expect((await factsOn(engine, site)).conversions).toEqual([]);
    expect(inbound.woken).toEqual([]);
    dynamo.destroy();
  });
});

const cancelledFor = (code: string) =>
  Object.assign(new Error("cancelled"), {
    name: "TransactionCanceledException",
    $fault: "client",
    CancellationReasons: [{ Code: "None" }, { Code: code }],
  });

/** Interferes with every transaction sent through `dynamo`, each try of the client's own retries included. */
function tamper(
  dynamo: ReturnType<typeof clientOf>,
  interfere: (n: number, error?: unknown) => void,
  when: "after" | "instead" = "after",
): () => number {
  let n = 0;
  dynamo.middlewareStack.add(
    (next, context) => async (args) => {
      if (!String(context.commandName).includes("TransactWrite")) return next(args);
      n++;
      if (when === "instead") interfere(n);
      try {
        const result = await next(args);
        interfere(n);
        return result;
      } catch (error) {
        interfere(n, error);
        throw error;
      }
    },
    { step: "deserialize", priority: "high" },
  );
  return () => n;
}
