import { setTimeout as sleep } from "node:timers/promises";
import { TransactWriteCommand, type TransactWriteCommandInput } from "@aws-sdk/lib-dynamodb";
import type { Dynamo } from "./dynamo";

export type TransactItem = NonNullable<TransactWriteCommandInput["TransactItems"]>[number];

const ATTEMPTS = 8;
const FIRST_PAUSE_MS = 10;

/** Reasons that pass by themselves: a collision with a transaction, or more work than the table takes right now. */
const PASSING = new Set(["TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"]);

/**
 * Sends one transaction; tries again while it only collides with another at the same items or is throttled. The client's own retries
 * carry the same request token, so one that took effect unseen is not applied twice.
 */
export const transact = (dynamo: Dynamo, items: TransactItem[]): Promise<void> =>
  retryPassing(async () => {
    await dynamo.send(new TransactWriteCommand({ TransactItems: items }));
  });

/** Does `write`, again while it fails for passing reasons: a single write, too, is refused while a transaction holds its item. */
export async function retryPassing<Result>(write: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error) || attempt === ATTEMPTS) throw error;
      await sleep(FIRST_PAUSE_MS * 2 ** attempt * (0.5 + Math.random() / 2));
    }
  }
}

/** True when a write was refused, or a transaction cancelled, for nothing but passing reasons (and no failed condition). */
function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error.name === "TransactionConflictException" || error.name === "TransactionInProgressException")
    return true;
  if (error.name !== "TransactionCanceledException") return false;
  const codes = ((error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [])
    .map((reason) => reason.Code ?? "None")
    .filter((code) => code !== "None");
  return codes.length > 0 && codes.every((code) => PASSING.has(code));
}

/** `items` in runs of at most `size`, in order. */
export function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** Which items of a cancelled transaction had a condition that failed, by their places; empty for any other error. */
export function refusedItems(error: unknown): number[] {
  if (!(error instanceof Error) || error.name !== "TransactionCanceledException") return [];
  const reasons = (error as { CancellationReasons?: { Code?: string }[] }).CancellationReasons ?? [];
  return reasons.flatMap(({ Code }, index) => (Code === "ConditionalCheckFailed" ? [index] : []));
}
