import { countDistinct, packSet, union, unpackSet, type VisitorSet, visitorSet } from "../visitor-set";
import { type Key, MAX_ROWS } from "./figure-table";

/** A table of sets as it is stored: the parts of the keys, then each row's packed set, rows in the order of their keys. */
export interface SetColumns {
  readonly keys: string[][];
  readonly sets: Uint8Array[];
}

/** Sets of visitors by key. Uniting tables is associative, commutative and idempotent. */
export class SetTable {
  private constructor(private readonly rows: ReadonlyMap<string, { key: Key; set: VisitorSet }>) {}

  /** The table of who was seen under which key. */
  static of(sightings: Iterable<readonly [Key, visitor: number]>): SetTable {
    const numbers = new Map<string, { key: Key; visitors: Set<number> }>();
    for (const [key, visitor] of sightings) {
      const name = nameOf(key);
      const row = numbers.get(name) ?? { key, visitors: new Set() };
      row.visitors.add(visitor);
      numbers.set(name, row);
    }
    return new SetTable(
      new Map([...numbers].map(([name, { key, visitors }]) => [name, { key, set: visitorSet(visitors) }])),
    );
  }

  static union(tables: readonly SetTable[]): SetTable {
    return SetTable.grouped(tables.flatMap((table) => [...table.rows.values()]));
  }

  entries(): { readonly key: Key; readonly visitors: number }[] {
    return [...this.rows.values()].map(({ key, set }) => ({ key, visitors: countDistinct([set]) }));
  }

  /** How many distinct visitors all rows hold together. */
  countAll(): number {
    return countDistinct([...this.rows.values()].map(({ set }) => set));
  }

  /** The largest {@link MAX_ROWS} rows; the others are united under the key that `foldInto` gives them. */
  bounded(foldInto: (key: Key) => Key): SetTable {
    if (this.rows.size <= MAX_ROWS) return this;
    const ranked = [...this.rows]
      .map(([name, row]) => ({ name, row, size: countDistinct([row.set]) }))
      .sort((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
    return SetTable.grouped(
      ranked.map(({ row }, i) => (i < MAX_ROWS ? row : { key: foldInto(row.key), set: row.set })),
    );
  }

  toColumns(): SetColumns {
    const sorted = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const parts = sorted[0]?.key.length ?? 0;
    return {
      keys: Array.from({ length: parts }, (_, part) => sorted.map(({ key }) => key[part] ?? "")),
      sets: sorted.map(({ set }) => packSet(set)),
    };
  }

  /** Inverse of {@link toColumns}. */
  static from({ keys, sets }: SetColumns): SetTable {
    return SetTable.grouped(
      sets.map((set, i) => ({ key: keys.map((part) => part[i] ?? ""), set: unpackSet(set) })),
    );
  }

  private static grouped(rows: Iterable<{ key: Key; set: VisitorSet }>): SetTable {
    const groups = Map.groupBy(rows, ({ key }) => nameOf(key));
    return new SetTable(
      new Map(
        [...groups].map(([name, some]) => [
          name,
          { key: some[0]?.key ?? [], set: union(some.map(({ set }) => set)) },
        ]),
      ),
    );
  }
}

const nameOf = (key: Key): string => key.join("\u0000");
