import type { Instant } from "../domain/instant";

/** The current time; passed in so that nothing in the product reads a clock of its own. */
export type Clock = () => Instant;

export const systemClock: Clock = () => Date.now();
