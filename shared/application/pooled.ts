/** `work` of every item, at most `width` at a time, in order. Fails with the first failure; what is under way goes on. */
export async function mapPooled<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  async function drain(): Promise<void> {
    for (const [index, item] of queue) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, drain));
  return results;
}
