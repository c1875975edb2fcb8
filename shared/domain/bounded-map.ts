/** A map that keeps the `limit` keys written last: memory for what may be worked out again. */
export class BoundedMap<Key, Value> {
  readonly #values = new Map<Key, Value>();
  constructor(readonly limit: number) {}

  get(key: Key): Value | undefined {
    return this.#values.get(key);
  }

  set(key: Key, value: Value): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.limit) return;
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest);
      return;
    }
  }

  delete(key: Key): void {
    this.#values.delete(key);
  }

  /** The value kept for `key`, else the one `compute` gives, which is kept from then on. */
  getOrCompute(key: Key, compute: () => Value): Value {
    const kept = this.#values.get(key);
    if (kept !== undefined) return kept;
    const value = compute();
    this.set(key, value);
    return value;
  }
}
