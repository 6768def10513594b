/** Stores a value per key, and drops the keys touched longest ago once there are too many. */
export class Recent<V> {
  readonly #values = new Map<string, V>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  /** Keeps the value and makes its key the most recent one. */
  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size <= this.#most) return;
    const [oldest] = this.#values.keys();
    if (oldest !== undefined) this.#values.delete(oldest);
  }

  delete(key: string): void {
    this.#values.delete(key);
  }

  entries(): IterableIterator<[string, V]> {
    return this.#values.entries();
  }

  get size(): number {
    return this.#values.size;
  }
}
