import { randomUUID } from "node:crypto";
import { TransactWriteCommand } from "@aws-sdk/lib-dynamodb";
import { MINUTE } from "../../shared/domain/instant";
import { NOON, startInbound } from "../conversions/support";
import { startShop } from "../identity/support";
import { type Engine, startEngine } from "../support/engine";
import { metered } from "./measure";

interface ReceiptFigures {
  readonly receipt: string;
  readonly "p50 ms": number;
  readonly "p99 ms": number;
  /** Of the median of a transaction of as many and as large items, sent by itself. */
  readonly "times the bare transaction": number;
  /** One after the other; the wake-up of the relay, which goes to a queue, is one more. */
  readonly "round trips": number;
  readonly "read units": number;
  readonly "write units": number;
  /** Sixteen at a time. */
  readonly "a second": number;
}

const EVID = "evid-of-ann-1234567890";
const RUNS = 300;
const AT_ONCE = 16;
const SALE = {
  email: "ann@example.com",
  first_name: "Ann",
  value: 49.9,
  products: [{ sku: "S1", name: "Shirt", quantity: 2, price: 24.95 }],
};

/** Accepted deliveries to a receiving webhook: the whole function, on the engine, as the gateway calls it. */
export async function measureReceipts(): Promise<ReceiptFigures[]> {
  const engine = await startEngine();
  try {
    const bare = percentiles(await each(RUNS, () => bareTransaction(engine))).p50;
    return [
      await measure(engine, 1, "visitor found by its id", { evid: EVID }, bare),
      await measure(engine, 2, "visitor found by e-mail", { email: "lee@example.com" }, bare),
      await measure(engine, 3, "nobody found", {}, bare),
    ];
  } finally {
    await engine.close();
  }
}

async function measure(engine: Engine, site: number, receipt: string, clues: object, bare: number) {
  const shop = startShop(engine, site);
  const visit = { evid: EVID, at: NOON - 60 * MINUTE, ad: "google", clickId: "ad-click" } as const;
  await shop.visit(visit);
  await shop.identify(visit, { email: "lee@example.com" });
  const meter = metered(engine.dynamo);
  const inbound = startInbound(engine, { dynamo: meter.dynamo });
  const token = await inbound.webhook("Purchase", site);
  const post = async () => {
    const { body } = await inbound.post(token, { ...SALE, ...clues, order_id: randomUUID() });
    if (body.outcome !== "accepted") throw new Error(`the receipt was ${body.outcome}`);
  };
  await post();
  meter.reset();
  await post();
  const { roundTrips, readUnits, writeUnits } = meter.consumption();
  const { p50, p99 } = percentiles(await each(RUNS, post));
  const began = performance.now();
  await Promise.all(Array.from({ length: AT_ONCE }, () => each(RUNS / AT_ONCE, post)));
  return {
    receipt,
    ...{ "p50 ms": p50, "p99 ms": p99, "times the bare transaction": p50 / bare },
    ...{ "round trips": roundTrips, "read units": readUnits, "write units": writeUnits },
    "a second": (AT_ONCE * Math.ceil(RUNS / AT_ONCE)) / ((performance.now() - began) / 1_000),
  };
}

/** Five items of a kilobyte and less in three tables, each put where there is none: event, claim, fact, outbox, receipt. */
async function bareTransaction({ dynamo, tables }: Engine): Promise<void> {
  const put = (TableName: string, bytes: number) => ({
    Put: {
      TableName,
      Item: { pk: `bare#${randomUUID()}`, sk: "bare", text: "x".repeat(bytes) },
      ConditionExpression: "attribute_not_exists(pk)",
    },
  });
  const { Identity, Facts, Deliveries } = tables;
  await dynamo.send(
    new TransactWriteCommand({
      TransactItems: [
        ...[put(Identity, 700), put(Identity, 60), put(Facts, 300)],
        ...[put(Deliveries, 60), put(Deliveries, 400)],
      ],
    }),
  );
}

/** Milliseconds of each run, one after the other. */
async function each(runs: number, work: () => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return times;
}

function percentiles(times: readonly number[]): { p50: number; p99: number } {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
