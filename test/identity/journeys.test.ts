import fc from "fast-check";
import { DAY, MINUTE, SECOND } from "../../shared/domain/instant";
import type { Dynamo } from "../../shared/storage/dynamo";
import { NOON } from "../conversions/support";
import { type Engine, startEngine } from "../support/engine";
import { NaiveJourneys, type NaiveSale } from "./naive";
import { ADS, type Ad, revenueOf, startShop } from "./support";

let engine: Engine;
let site = 7_000;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.close());

const evid = fc.constantFrom("visitor-one", "visitor-two");
const email: fc.Arbitrary<string> = fc.constantFrom("a@home.example", "b@work.example", "c@else.example");
const ad = fc.constantFrom(...(Object.keys(ADS) as Ad[]));
/** How the process that handles something ends: well, before its transaction, or after that but before anybody hears of it. */
const fate = fc.constantFrom("well", "well", "well", "before", "after");

const step = fc.oneof(
  fc.record({ kind: fc.constant("visit" as const), evid, ad }),
  fc.record({ kind: fc.constant("identify" as const), evid, email, ad }),
  fc.record({
    kind: fc.constant("sale" as const),
    paid: email,
    existing: fc.option(email),
    evid: fc.option(evid, { freq: 2 }),
    fate,
  }),
  fc.record({
    kind: fc.constant("sale" as const),
    paid: email,
    existing: email,
    evid: fc.option(evid),
    fate,
  }),
  fc.record({ kind: fc.constant("deliver" as const), which: fc.nat(9), fate }),
  fc.record({ kind: fc.constant("lose wake-ups" as const) }),
  fc.record({
    kind: fc.constant("wait" as const),
    ms: fc.constantFrom(MINUTE, 10 * MINUTE, 6 * 60 * MINUTE, DAY),
    /** Whether the clock's look-ups are made; else the sweeper is down. */
    isSwept: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("seal" as const) }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Somebody who was there pays as somebody not known yet, who then appears: what chance alone seldom brings about. */
const appearance: fc.Arbitrary<Step[]> = fc
  .record({
    ads: fc.tuple(ad, ad),
    paid: email,
    existing: fc.constantFrom("e@new.example", "f@new.example", "g@new.example"),
    evid: fc.option(fc.constant("visitor-one")),
    fate,
    ms: fc.constantFrom(MINUTE, DAY - MINUTE, DAY),
    which: fc.nat(9),
  })
  .map(({ ads: [one, two], paid, existing, evid, fate, ms, which }) => [
    { kind: "visit", evid: "visitor-one", ad: one },
    { kind: "visit", evid: "visitor-two", ad: two },
    { kind: "sale", paid, existing, evid, fate },
    { kind: "wait", ms, isSwept: false },
    { kind: "identify", evid: "visitor-two", email: existing, ad: one },
    { kind: "deliver", which, fate },
  ]);
const story = fc
  .array(
    fc.oneof(
      { arbitrary: step.map((one): Step[] => [one]), weight: 5 },
      { arbitrary: appearance, weight: 1 },
    ),
    {
      minLength: 3,
      maxLength: 20,
    },
  )
  .map((parts) => parts.flat());

/** A client whose next transaction can be made to end a process. */
function mortal(dynamo: Dynamo) {
  const life = { fate: "well", tookEffect: false };
  const send = async (command: { constructor: { name: string } }, ...rest: unknown[]) => {
    const isTransaction = command.constructor.name === "TransactWriteCommand";
    if (isTransaction && life.fate === "before") throw new Error("killed");
    const answer = await (dynamo.send as (...args: unknown[]) => Promise<unknown>)(command, ...rest);
    if (isTransaction) life.tookEffect = true;
    if (isTransaction && life.fate === "after") throw new Error("killed");
    return answer;
  };
  const proxy = new Proxy(dynamo, {
    get: (target, name) => (name === "send" ? send : Reflect.get(target, name)),
  });
  return { proxy, life };
}

class Run {
  private readonly own = ++site;
  private readonly mortal = mortal(engine.dynamo);
  private readonly shop = startShop(engine, this.own, { clientOf: () => this.mortal.proxy });
  private readonly model = new NaiveJourneys();
  private readonly sales = new Map<string, { naive: NaiveSale; evid: string | null }>();
  private order = 0;

  async play(steps: readonly Step[]): Promise<void> {
    for (const one of steps) {
      this.shop.now += SECOND;
      await this.take(one);
      await this.check();
    }
    // Two days on, nothing hangs: not after any crash, nor without any wake-up.
    this.shop.inbound.lookUps.length = 0;
    this.shop.now += 2 * DAY;
    await this.lookAtDue();
    await this.check();
    expect(await this.shop.pending()).toEqual([]);
    for (const { naive } of this.sales.values()) expect(naive.status).not.toBe("pending");
    expect(await revenueOf(this.shop, this.own)).toEqual(this.model.revenue());
    await this.shop.analytics.sealAll(this.own);
    expect(await revenueOf(this.shop, this.own)).toEqual(this.model.revenue());
  }

  private async take(one: Step): Promise<void> {
    const { shop, model } = this;
    switch (one.kind) {
      case "visit":
        await shop.visit({ ...one, at: shop.now });
        return model.visit(one.evid, shop.now, one.ad);
      case "identify":
        await shop.identify({ ...one, at: shop.now }, { email: one.email });
        model.visit(one.evid, shop.now, one.ad);
        return model.identify(one.evid, one.email, shop.now);
      case "sale":
        return this.sale(one);
      case "deliver": {
        const { lookUps } = shop.inbound;
        const [entry] = lookUps.splice(one.which % Math.max(1, lookUps.length), 1);
        return entry && this.look(entry.event, one.fate);
      }
      case "lose wake-ups":
        shop.inbound.lookUps.length = 0;
        return;
      case "wait":
        shop.now += one.ms;
        return one.isSwept ? this.lookAtDue() : undefined;
      case "seal":
        return shop.analytics.sealAll(this.own);
    }
  }

  /** A tool that gets no answer sends again. */
  private async sale({ paid, existing, evid, fate }: Extract<Step, { kind: "sale" }>): Promise<void> {
    const order_id = `order-${++this.order}`;
    const body = { email: paid, existing_email: existing, evid, order_id };
    const { tookEffect } = await this.asFated(fate, () => this.shop.sale(body));
    const naive = this.model.sale(paid, existing, evid, this.shop.now);
    const answer = await this.shop.sale(body);
    expect(answer.outcome).toBe(tookEffect ? "deduped" : "accepted");
    expect(answer.link?.status ?? null).toBe(naive.status);
    this.sales.set(answer.event_id, { naive, evid });
  }

  private async look(event: string, fate: string): Promise<void> {
    const sale = this.sales.get(event);
    if (!sale) throw new Error("a look-up of no sale");
    const wasPending = sale.naive.status === "pending";
    const { ended } = await this.asFated(fate, () => this.shop.settle({ site: this.own, event }));
    if (ended === "before") return;
    this.model.look(sale.naive, sale.evid, this.shop.now);
    if (wasPending) expect(["pending", "linked", "not_found", "conflict"]).toContain(sale.naive.status);
  }

  private async lookAtDue(): Promise<void> {
    for (const { entry, dueAt } of await this.shop.pending()) {
      if (dueAt <= this.shop.now) await this.look(entry.event, "well");
    }
  }

  private async asFated(fate: string, work: () => Promise<unknown>) {
    const { life } = this.mortal;
    Object.assign(life, { fate, tookEffect: false });
    let ended = "well";
    try {
      await work();
    } catch (error) {
      if (fate === "well") throw error;
      ended = fate;
    }
    life.fate = "well";
    return { tookEffect: life.tookEffect, ended };
  }

  private async check(): Promise<void> {
    for (const [id, { naive }] of this.sales) {
      const event = await this.shop.event(id);
      expect(event?.link?.status ?? null).toBe(naive.status);
      expect(event?.match?.credited.source ?? "(none)").toBe(naive.source);
    }
  }
}

test("whatever happens in whatever order, links and figures are those of a naive model", async () => {
  await fc.assert(
    fc.asyncProperty(story, (steps) => new Run().play(steps)),
    { numRuns: Number(process.env.JOURNEY_RUNS ?? 20), endOnFailure: true },
  );
}, 120_000);

test("the model itself has every status in its runs, so that the comparison says something", () => {
  const model = new NaiveJourneys();
  model.sale("b@work.example", "a@home.example", null, NOON);
  model.identify("visitor-one", "c@work.example", NOON);
  model.sale("d@else.example", "c@work.example", null, NOON);
  model.sale("d@else.example", "a@home.example", null, NOON);
  model.sale("a@home.example", "a@home.example", null, NOON);
  const [pending] = model.sales;
  expect(model.sales.map(({ status }) => status)).toEqual(["pending", "linked", "conflict", "ignored"]);
  if (pending) model.look(pending, null, NOON + DAY);
  expect(pending?.status).toBe("linked"); // By the sale they paid for themselves.
});
