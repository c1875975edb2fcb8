import type { Fact } from "../../shared/domain/analytics/fact";
import type { Interval } from "../../shared/domain/analytics/plan";

/** Overview figures counted straight from raw facts, the slow and obvious way: the reference for everything clever. */
export interface NaiveOverview {
  sessions: number;
  visitors: number;
  pageviews: number;
  leads: number;
  purchases: number;
  revenue: number;
  rows: Record<string, number[]>;
}

export function naiveOverview(facts: readonly Fact[], { start, end }: Interval): NaiveOverview {
  const seen = new Set<string>();
  const visitors = new Set<number>();
  const rows: Record<string, number[]> = {};
  const latest = new Map<string, number>();
  for (const fact of facts) {
    if (fact.kind === "conversion") latest.set(fact.id, Math.max(latest.get(fact.id) ?? 0, fact.version));
  }
  const add = (fact: { source: string; channel: string }, column: number, amount: number) => {
    const key = `${fact.source} / ${fact.channel}`;
    rows[key] ??= [0, 0, 0, 0, 0];
    const row = rows[key];
    row[column] = (row[column] ?? 0) + amount;
  };
  for (const fact of facts) {
    if (fact.at < start || fact.at >= end) continue;
    if (fact.kind === "visit" && once(seen, `v ${fact.visit}`)) {
      visitors.add(fact.visitor);
      add(fact, 0, 1);
    } else if (fact.kind === "pageview" && once(seen, `p ${fact.visit} ${fact.id}`)) {
      visitors.add(fact.visitor);
      add(fact, 1, 1);
    } else if (fact.kind === "conversion" && fact.version === latest.get(fact.id) && once(seen, fact.id)) {
      if (fact.type === "Lead") add(fact, 2, 1);
      if (fact.type === "Purchase") {
        add(fact, 3, 1);
        add(fact, 4, fact.value);
      }
    }
  }
  const total = (column: number) => Object.values(rows).reduce((sum, row) => sum + (row[column] ?? 0), 0);
  return {
    sessions: total(0),
    visitors: visitors.size,
    pageviews: total(1),
    leads: total(2),
    purchases: total(3),
    revenue: total(4),
    rows,
  };
}

function once(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
