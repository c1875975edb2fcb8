/** A small generator of numbers in [0, 1) that can be started again (mulberry32). */
export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A number in [0, 1) that looks random and is always the same for a whole number (Fibonacci hashing, mixed). */
export const scattered = (number: number): number => mulberry(Math.imul(number, 0x9e3779b1))();

/** Turns a number in [0, 1) into one of these, each as often as its weight has it. */
export function weighted<Option>(
  options: readonly Option[],
  weightOf: (option: Option, i: number) => number,
) {
  let sum = 0;
  const upTo = Float64Array.from(options, (option, i) => {
    sum += weightOf(option, i);
    return sum;
  });
  return (uniform: number): Option => {
    const wanted = uniform * sum;
    let [low, high] = [0, upTo.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((upTo[middle] ?? 0) > wanted) high = middle;
      else low = middle + 1;
    }
    return options[low] as Option;
  };
}

/** The same by Zipf's law: the n-th of them comes up 1/n times as often as the first. */
export const zipf = <Option>(options: readonly Option[]) => weighted(options, (_, i) => 1 / (i + 1));
