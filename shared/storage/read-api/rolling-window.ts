import { ConditionalCheckFailedException } from "@aws-sdk/client-dynamodb";
import { DeleteCommand, UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { BoundedMap } from "../../domain/bounded-map";
import type { RandomBytes } from "../../domain/ids";
import { HOUR, type Instant, SECOND } from "../../domain/instant";
import type { Admission, ResettableWindow } from "../../ports/rolling-window";
import type { Dynamo } from "../dynamo";
import { rateWindowKey } from "./ephemeral-keys";

export interface RollingWindowLimits {
  /** Requests let in within any `windowMs`. */
  readonly capacity: number;
  readonly windowMs: number;
}

/** The times of the last requests let in, by slot. */
type Ring = ReadonlyMap<number, Instant>;

/**
 * A rolling window that is exact: one item per key holds `capacity` numbered slots, each with the time of the request
 * that took it last. A request takes one slot under the condition that it is free, that is, never taken or taken at
 * least `windowMs` ago. So no span of `windowMs` can hold more than `capacity` requests, whoever else writes, and a
 * request is refused only after every slot was seen taken (decisions: "Rate limit").
 *
 * One write a request: each write answers with the whole ring, from which the instance picks its next slot at random.
 * When another instance was faster the failed condition answers with the ring too, and the next pick is informed. A
 * slot once seen taken stays taken, so there are at most `capacity` picks, and a ring seen full is refused from memory.
 *
 * `now` is the caller's clock; the claim holds up to the difference between the instances' clocks. A write that
 * reached the table but whose answer was lost is counted twice, never zero times.
 */
export function createRollingWindow(
  dynamo: Dynamo,
  table: string,
  { capacity, windowMs }: RollingWindowLimits,
  random: RandomBytes,
): ResettableWindow {
  const seen = new BoundedMap<string, Ring>(1_000);

  async function take(key: string, now: Instant): Promise<Admission> {
    for (let ring = seen.get(key) ?? new Map<number, Instant>(); ; ) {
      const free = freeSlots(ring, now);
      if (free.length === 0) return refused(ring, now);
      const slot = free[uint32(random) % free.length] ?? 0;
      const outcome = await claim(key, slot, now);
      ring = outcome.ring;
      seen.set(key, ring);
      if (outcome.claimed) return allowed(ring, now);
    }
  }

  async function claim(key: string, slot: number, now: Instant): Promise<{ claimed: boolean; ring: Ring }> {
    try {
      const { Attributes } = await dynamo.send(
        new UpdateCommand({
          TableName: table,
          Key: rateWindowKey(key),
          UpdateExpression: "SET #slot = :now, #ttl = :ttl",
          ConditionExpression: "attribute_not_exists(#slot) OR #slot <= :free",
          ExpressionAttributeNames: { "#slot": slotName(slot), "#ttl": "ttl" },
          ExpressionAttributeValues: {
            ":now": now - EPOCH,
            ":free": now - windowMs - EPOCH,
            ":ttl": Math.ceil((now + windowMs + HOUR) / SECOND),
          },
          ReturnValues: "ALL_NEW",
          ReturnValuesOnConditionCheckFailure: "ALL_OLD",
        }),
      );
      return { claimed: true, ring: toRing(Attributes ?? {}, capacity) };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException) || !error.Item) throw error;
      return { claimed: false, ring: toRing(numbersOf(error.Item), capacity) };
    }
  }

  const freeSlots = (ring: Ring, now: Instant): number[] =>
    Array.from({ length: capacity }, (_, slot) => slot).filter((slot) => isFree(ring.get(slot), now));

  const isFree = (taken: Instant | undefined, now: Instant) => taken === undefined || taken <= now - windowMs;

  /** When the oldest request in the window leaves it; `now` when there is none. */
  function resetAt(ring: Ring, now: Instant): Instant {
    const inWindow = [...ring.values()].filter((taken) => !isFree(taken, now));
    return inWindow.length === 0 ? now : Math.min(...inWindow) + windowMs;
  }

  const allowed = (ring: Ring, now: Instant): Admission => ({
    allowed: true,
    remaining: freeSlots(ring, now).length,
    resetAt: resetAt(ring, now),
    retryAfterMs: 0,
  });

  const refused = (ring: Ring, now: Instant): Admission => ({
    allowed: false,
    remaining: 0,
    resetAt: resetAt(ring, now),
    retryAfterMs: resetAt(ring, now) - now,
  });

  async function reset(key: string): Promise<void> {
    seen.delete(key);
    await dynamo.send(new DeleteCommand({ TableName: table, Key: rateWindowKey(key) }));
  }

  return { take, reset };
}

/**
 * Times are stored from 2026 on and slots are named in base 36: two hundred of them then fit into 2 KB, which is two
 * write units a request instead of three.
 */
const EPOCH = Date.UTC(2026, 0, 1);
const slotName = (slot: number) => slot.toString(36);

/** Reads the ring out of an item's attributes, of which the slots are those with a small base-36 name. */
function toRing(attributes: Readonly<Record<string, unknown>>, capacity: number): Ring {
  const ring = new Map<number, Instant>();
  for (let slot = 0; slot < capacity; slot++) {
    const taken = attributes[slotName(slot)];
    if (typeof taken === "number") ring.set(slot, taken + EPOCH);
  }
  return ring;
}

/** An item's numbers as the wire has them: the document client leaves the item inside an error alone. */
const numbersOf = (item: Readonly<Record<string, { N?: string | undefined }>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, { N }]) => (N === undefined ? [] : [[name, Number(N)]])),
  );

const uint32 = (random: RandomBytes): number => Buffer.from(random(4)).readUInt32BE();
