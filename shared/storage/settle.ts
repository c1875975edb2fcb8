/**
 * Waits until all of it is done, well or not, and then throws the first failure, if any. A function must not answer with
 * a write still under way: its instance is frozen, and whenever it thaws the client sends that write again, by then
 * minutes late.
 */
export async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === "rejected") throw result.reason;
  }
}

/** Works on every item, at most `width` at a time, and settles each by itself, in order. */
export async function settleAll<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results: PromiseSettledResult<Result>[] = new Array(items.length);
  const queue = items.entries();
  async function drain(): Promise<void> {
    for (const [index, item] of queue) {
      [results[index]] = (await Promise.allSettled([work(item)])) as [PromiseSettledResult<Result>];
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, drain));
  return results;
}
