import { MINUTE, SECOND } from "../../domain/instant";
import type { Clock } from "../../ports/clock";
import type { SiteDirectory } from "../../ports/sites";

type Answer = ReturnType<SiteDirectory["find"]>;

const MAX_ENTRIES = 10_000;
const MISSING_TTL = 5 * SECOND;

/**
 * A directory that asks `directory` once per site and `ttlMs`, and once for any number of callers at the same time.
 * For ingest, where a change of a site may take a minute to be seen. A missing site is remembered for 5 s only, so
 * that a new one works at once; failures are not remembered; strangers' numbers cannot grow it beyond a bound.
 */
export function cachedSites(directory: SiteDirectory, clock: Clock, ttlMs = MINUTE): SiteDirectory {
  const entries = new Map<number, { readonly answer: Answer; until: number }>();

  function load(site: number): Answer {
    const entry = { answer: directory.find(site), until: clock() + ttlMs };
    const forget = () => entries.get(site) === entry && entries.delete(site);
    entry.answer.then(
      (found) => {
        if (found === null) entry.until = clock() + Math.min(ttlMs, MISSING_TTL);
      },
      () => forget(),
    );
    const [oldest] = entries.keys();
    if (entries.size >= MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
    entries.set(site, entry);
    return entry.answer;
  }

  return {
    find(site) {
      const known = entries.get(site);
      if (known && clock() < known.until) return known.answer;
      entries.delete(site);
      return load(site);
    },
  };
}
