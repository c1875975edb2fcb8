/** Rows a bucket keeps by each way of ranking them; what is left is folded into `(other)`. */
export const MAX_ROWS = 2_000;
export const OTHER = "(other)";

/** Names a row, such as source and channel, or sku and product name. */
export type Key = readonly string[];

/** A table as it is stored: the parts of the keys, then each field's values, rows in the order of their keys. */
export interface Columns {
  readonly keys: string[][];
  readonly values: number[][];
}

/** Additive figures by key. Adding tables is associative and commutative. */
export class FigureTable<Field extends string> {
  private readonly rows = new Map<string, { key: Key; figures: Record<Field, number> }>();

  constructor(private readonly fields: readonly Field[]) {}

  /** The figures of a key, zeros when it is new; to be added to. */
  at(key: Key): Record<Field, number> {
    const name = key.join("\u0000");
    let row = this.rows.get(name);
    if (!row) {
      row = { key, figures: this.zeros() };
      this.rows.set(name, row);
    }
    return row.figures;
  }

  addAll(other: FigureTable<Field>): void {
    for (const { key, figures } of other.rows.values()) this.add(key, figures);
  }

  entries(): { readonly key: Key; readonly figures: Readonly<Record<Field, number>> }[] {
    return [...this.rows.values()];
  }

  total(field: Field): number {
    let sum = 0;
    for (const { figures } of this.rows.values()) sum += figures[field];
    return sum;
  }

  /**
   * At most {@link MAX_ROWS} rows for each ranking (fields compared in turn, largest first; then by name), whose keys
   * take at most `maxUnits` UTF-16 units together. The others are added up under the key that `foldInto` gives them,
   * so that totals stay exact.
   */
  bounded(
    rankings: readonly (readonly Field[])[],
    foldInto: (key: Key) => Key,
    maxUnits = Number.POSITIVE_INFINITY,
  ): FigureTable<Field> {
    if (this.rows.size <= MAX_ROWS && unitsOf([...this.rows.keys()]) <= maxUnits) return this;
    const keep = new Set<string>();
    for (const ranking of rankings) {
      const ranked = [...this.rows].sort(([a, { figures: x }], [b, { figures: y }]) => {
        for (const field of ranking) if (x[field] !== y[field]) return y[field] - x[field];
        return a < b ? -1 : 1;
      });
      let room = maxUnits;
      for (const [name] of ranked.slice(0, MAX_ROWS)) {
        room -= name.length;
        if (room < 0) break;
        keep.add(name);
      }
    }
    const bounded = new FigureTable<Field>(this.fields);
    for (const [name, { key, figures }] of this.rows) {
      bounded.add(keep.has(name) ? key : foldInto(key), figures);
    }
    return bounded;
  }

  toColumns(): Columns {
    const sorted = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
    const parts = sorted[0]?.key.length ?? 0;
    return {
      keys: Array.from({ length: parts }, (_, part) => sorted.map(({ key }) => key[part] ?? "")),
      values: this.fields.map((field) => sorted.map(({ figures }) => figures[field])),
    };
  }

  /** Adds what {@link toColumns} gave. */
  load({ keys, values }: Columns): this {
    const count = keys[0]?.length ?? 0;
    for (let i = 0; i < count; i++) {
      const figures = this.at(keys.map((part) => part[i] ?? ""));
      this.fields.forEach((field, f) => {
        figures[field] += values[f]?.[i] ?? 0;
      });
    }
    return this;
  }

  private add(key: Key, figures: Readonly<Record<Field, number>>): void {
    const mine = this.at(key);
    for (const field of this.fields) mine[field] += figures[field];
  }

  private zeros(): Record<Field, number> {
    return Object.fromEntries(this.fields.map((field) => [field, 0])) as Record<Field, number>;
  }
}

const unitsOf = (names: readonly string[]): number => names.reduce((sum, { length }) => sum + length, 0);
