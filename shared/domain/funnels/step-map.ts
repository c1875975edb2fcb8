/**
 * What a stretch of time does to a visitor of a funnel: for every number of steps done before it, the number done after.
 * Who enters it with more steps done never leaves it with fewer, and no step is ever undone, so a funnel of k steps has
 * C(2k+2, k+1)/(k+2) such maps at most (Catalan): 5 for 2 steps, 4,862 for 8.
 *
 * Packed into a number, so that maps are compared, counted and stored as such: four bits for each number of steps done
 * before, none in the lowest. All k done stay all k done and take no bits.
 */
export type StepMap = number;

/** The most that four bits for each leave room for in 32 (decisions: "Funnels"). */
export const MAX_STEPS = 8;

/** Of a stretch in which nothing happens. */
export function unchanged(steps: number): StepMap {
  return pack(steps, (before) => before);
}

/** How many steps are done after the stretch, by one who came with `before` done. */
export const stepsAfter = (map: StepMap, before: number, steps: number): number =>
  before >= steps ? steps : (map >>> (before * 4)) & 0xf;

/** The map of one stretch followed by another. Associative; not commutative: order is what funnels are about. */
export function followedBy(first: StepMap, second: StepMap, steps: number): StepMap {
  return pack(steps, (before) => stepsAfter(second, stepsAfter(first, before, steps), steps));
}

/**
 * The map of `first` and one instant after it, at which what does the steps of `matched` happened (bit 0 for the first
 * step). However many of them: each step is strictly later than the one before, so an instant gains one step at most.
 */
export function thenInstant(first: StepMap, matched: number, steps: number): StepMap {
  return pack(steps, (before) => {
    const done = stepsAfter(first, before, steps);
    return done < steps && (matched >>> done) & 1 ? done + 1 : done;
  });
}

function pack(steps: number, after: (before: number) => number): StepMap {
  let map = 0;
  for (let before = 0; before < steps; before++) map |= after(before) << (before * 4);
  return map >>> 0; // with 8 steps the highest bit is in use
}
