import type { Instant } from "../../domain/instant";
import type { ResponseCache } from "../../ports/response-cache";
import { log } from "../log";

/** Answers of one endpoint, as JSON text, computed at most once a minute where that is to be had. */
export interface Answers {
  /** The kept answer, or null. Never fails: a cache that does is a cache that has nothing. */
  kept(key: string, now: Instant): Promise<string | null>;
  /** Computes an answer that was true at `asOf` and keeps it. A failure is the caller's and is not kept. */
  compute(key: string, asOf: Instant, work: () => Promise<string>): Promise<string>;
  /** Like {@link compute}, but joins a computation of the same answer that this instance has under way. */
  join(key: string, asOf: Instant, work: () => Promise<string>): Promise<string>;
}

export function createAnswers(cache: ResponseCache): Answers {
  const underWay = new Map<string, Promise<string>>();

  async function computeAndKeep(key: string, asOf: Instant, work: () => Promise<string>): Promise<string> {
    const text = await work();
    // Awaited, because an instance may be frozen as soon as it has answered.
    await cache.write(key, text, asOf).catch((error: Error) => log.warn("could not keep an answer", error));
    return text;
  }

  async function compute(key: string, asOf: Instant, work: () => Promise<string>): Promise<string> {
    const computation = computeAndKeep(key, asOf, work);
    underWay.set(key, computation);
    try {
      return await computation;
    } finally {
      if (underWay.get(key) === computation) underWay.delete(key);
    }
  }

  return {
    kept: (key, now) =>
      cache.read(key, now).catch((error: Error) => {
        log.warn("could not read a kept answer", error);
        return null;
      }),
    compute,
    join: (key, asOf, work) => underWay.get(key) ?? compute(key, asOf, work),
  };
}
