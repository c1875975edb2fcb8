import { randomBytes } from "node:crypto";
import type { RandomBytes } from "../domain/ids";

/** The process's own cryptographic randomness. */
export const systemRandom: RandomBytes = (length) => randomBytes(length);
