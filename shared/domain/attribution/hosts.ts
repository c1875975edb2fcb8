/** Names and the hosts that belong to them. `google.*` stands for google under any country's suffix. */
export type HostTable = Readonly<Record<string, readonly string[]>>;

/** Looks up what a host belongs to. */
export interface HostIndex<T> {
  find(host: string): T | null;
}

/** What `*` stands for: `com`, a country's code, or a commercial suffix under one (`co.uk`, `com.br`). */
const COUNTRY_SUFFIX = /^(com|cat|[a-z]{2}|(co|com|net|org)\.[a-z]{2})$/;

/**
 * Indexes host patterns. A host matches a pattern that equals it or is a parent of it, label by label, so `t.co`
 * matches `m.t.co` but not `walmart.com`; the longest pattern wins, so `mail.google.com` is not `google.*`.
 */
export function indexHosts<T>(patterns: Iterable<readonly [pattern: string, value: T]>): HostIndex<T> {
  const exact = new Map<string, T>();
  const underCountry = new Map<string, T>();
  for (const [pattern, value] of patterns) {
    if (pattern.endsWith(".*")) underCountry.set(pattern.slice(0, -2), value);
    else exact.set(pattern, value);
  }
  const findExactly = (labels: readonly string[]): T | undefined => {
    const found = exact.get(labels.join("."));
    if (found !== undefined) return found;
    for (const suffixLabels of [1, 2]) {
      const stem = underCountry.get(labels.slice(0, -suffixLabels).join("."));
      if (stem !== undefined && COUNTRY_SUFFIX.test(labels.slice(-suffixLabels).join("."))) return stem;
    }
    return undefined;
  };
  return {
    find(host) {
      const labels = normalHost(host).split(".").slice(-MOST_LABELS);
      for (let from = 0; from < labels.length; from++) {
        const found = findExactly(labels.slice(from));
        if (found !== undefined) return found;
      }
      return null;
    },
  };
}

/** More than any pattern has, so that a hostile host of a thousand labels costs no more than a long one. */
const MOST_LABELS = 8;

/** Lower case, without the root's trailing dot. */
const normalHost = (host: string): string => host.toLowerCase().replace(/\.$/, "");

/** Whether `host` is `domain` or lies under it. */
export const isWithin = (host: string, domain: string): boolean =>
  normalHost(host) === domain || normalHost(host).endsWith(`.${domain}`);
