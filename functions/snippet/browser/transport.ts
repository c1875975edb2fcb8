import type { Config } from "./config";

/** A hit on its way; see the collector's schema. */
export interface Hit {
  readonly visit: { readonly id: string; readonly [field: string]: unknown };
  readonly [field: string]: unknown;
}

const MOST = 20;
const RETRIES = 5;

/**
 * Sends hits in the order they came. A request that fails is sent again later with the hits unchanged, so that what
 * arrives twice folds away.
 * @param acknowledged called with the hits of a request the collector took
 */
export function createTransport(
  { site, endpoint }: Config,
  evid: string,
  clock: () => number,
  acknowledged: (hits: readonly Hit[]) => void,
) {
  let waiting: Hit[] = [];
  let failures = 0;

  /** `leaving`: the page may be gone at once, so nobody waits for an answer. */
  function flush(leaving?: boolean): void {
    const hits = waiting.splice(0, MOST);
    if (!hits[0]) return;
    const gpc = (navigator as { globalPrivacyControl?: boolean }).globalPrivacyControl === true;
    const body = JSON.stringify({ site, evid, now: clock(), gpc, hits });
    if (leaving && navigator.sendBeacon?.(endpoint, body)) return;
    const retry = () => {
      waiting = hits.concat(waiting).slice(0, MOST);
      if (++failures <= RETRIES) setTimeout(flush, 1e3 * 2 ** failures);
    };
    fetch(endpoint, { method: "POST", body, keepalive: true }).then((answer) => {
      if (answer.ok) {
        failures = 0;
        acknowledged(hits);
      } else if (answer.status > 499) retry();
    }, retry);
  }

  return {
    /** Lets a hit wait for the next one. */
    add(hit: Hit): void {
      waiting.push(hit);
    },
    send(hit: Hit): void {
      waiting.push(hit);
      flush();
    },
    flush,
  };
}
