import type { Origin } from "../fact";

/** Rows a bucket keeps by each way of ranking them; what is left goes into `(other)` of its channel. */
export const MAX_ROWS = 2_000;
export const OTHER = "(other)";

/** Columns of a table as they are stored: origins in order, then each field's values. */
export interface OriginColumns {
  readonly sources: string[];
  readonly channels: string[];
  readonly values: number[][];
}

/** Additive figures by (source, channel). Adding tables is associative and commutative. */
export class OriginTable<
  Row extends Record<Field, number>,
  Field extends string = Extract<keyof Row, string>,
> {
  private readonly rows = new Map<string, { origin: Origin; row: Row }>();

  constructor(
    private readonly fields: readonly Field[],
    private readonly zero: () => Row,
  ) {}

  /** The row of an origin, made when it is not there yet; to be added to. */
  at({ source, channel }: Origin): Row {
    const key = `${source}\n${channel}`;
    let entry = this.rows.get(key);
    if (!entry) {
      entry = { origin: { source, channel }, row: this.zero() };
      this.rows.set(key, entry);
    }
    return entry.row;
  }

  addAll(other: OriginTable<Row, Field>): void {
    for (const { origin, row } of other.rows.values()) this.add(origin, row);
  }

  entries(): (Origin & Row)[] {
    return [...this.rows.values()].map(({ origin, row }) => ({
      ...origin,
      ...row,
    }));
  }

  /**
   * At most {@link MAX_ROWS} rows for each ranking (a list of fields, compared in turn, largest first; then by name);
   * the others are added up in `(other)` of their channel, so that totals and channels stay exact.
   */
  bounded(rankings: readonly (readonly Field[])[]): OriginTable<Row, Field> {
    if (this.rows.size <= MAX_ROWS) return this;
    const keep = new Set<string>();
    for (const ranking of rankings) {
      const ranked = [...this.rows].sort(([a, { row: x }], [b, { row: y }]) => {
        for (const field of ranking) if (x[field] !== y[field]) return y[field] - x[field];
        return a < b ? -1 : 1;
      });
      for (const [key] of ranked.slice(0, MAX_ROWS)) keep.add(key);
    }
    const bounded = new OriginTable<Row, Field>(this.fields, this.zero);
    for (const [key, { origin, row }] of this.rows) {
      bounded.add(keep.has(key) ? origin : { source: OTHER, channel: origin.channel }, row);
    }
    return bounded;
  }

  toColumns(): OriginColumns {
    const sorted = [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
    return {
      sources: sorted.map(({ origin }) => origin.source),
      channels: sorted.map(({ origin }) => origin.channel),
      values: this.fields.map((field) => sorted.map(({ row }) => row[field])),
    };
  }

  /** Adds what {@link toColumns} gave. */
  load({ sources, channels, values }: OriginColumns): this {
    sources.forEach((source, i) => {
      const row = this.at({ source, channel: channels[i] ?? "" });
      this.fields.forEach((field, f) => {
        row[field] = (row[field] + (values[f]?.[i] ?? 0)) as Row[Field];
      });
    });
    return this;
  }

  private add(origin: Origin, row: Row): void {
    const mine = this.at(origin);
    for (const field of this.fields) mine[field] = (mine[field] + row[field]) as Row[Field];
  }
}
