/** The changes of a transaction so far: called backwards, they undo all of it. */
export type UndoLog = (() => void)[];

/** Where tables write how to undo a change; undefined outside a statement. */
export type Undoing = { log: UndoLog };

/** Thrown where a constraint forbids a row; the name is the constraint's in the real schema. */
export class ConstraintViolation extends Error {
  readonly constraint: string;
  readonly code = '23505';
  readonly severity = 'ERROR';
  constructor(constraint: string) {
    super(`violates ${constraint}`);
    this.constraint = constraint;
  }
}

/** Rows by key; a row is replaced, never changed. Groups of rows are found by the value of an index. */
export class Table<Row> {
  readonly #rows = new Map<string, Row>();
  readonly #indexes = new Map<string, Map<string, Map<string, Row>>>();
  readonly #undoing: Undoing;
  #listener: ((before: Row | undefined, after: Row) => void) | undefined;
  readonly #keyOf: (row: Row) => string;
  readonly #indexed: Readonly<Record<string, (row: Row) => string | null>>;

  constructor(
    undoing: Undoing,
    keyOf: (row: Row) => string,
    indexed: Readonly<Record<string, (row: Row) => string | null>> = {},
  ) {
    this.#undoing = undoing;
    this.#keyOf = keyOf;
    this.#indexed = indexed;
    for (const name of Object.keys(indexed)) this.#indexes.set(name, new Map());
  }

  /** Calls a listener with each row that is written. */
  onPut(listener: (before: Row | undefined, after: Row) => void): void {
    this.#listener = listener;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  all(): IterableIterator<Row> {
    return this.#rows.values();
  }

  /** The rows whose index has this value. */
  by(index: string, value: string): IterableIterator<Row> {
    return (this.#indexes.get(index)?.get(value) ?? NOTHING).values() as IterableIterator<Row>;
  }

  count(index: string, value: string): number {
    return this.#indexes.get(index)?.get(value)?.size ?? 0;
  }

  put(row: Row): void {
    const key = this.#keyOf(row);
    const before = this.#rows.get(key);
    this.#store(key, before, row);
    this.#undoing.log.push(() => this.#store(key, row, before));
    this.#listener?.(before, row);
  }

  /** Adds a row that must be new. */
  insert(row: Row, constraint: string): void {
    if (this.#rows.has(this.#keyOf(row))) throw new ConstraintViolation(constraint);
    this.put(row);
  }

  delete(row: Row): void {
    const key = this.#keyOf(row);
    const before = this.#rows.get(key);
    if (before === undefined) return;
    this.#store(key, before, undefined);
    this.#undoing.log.push(() => this.#store(key, undefined, before));
  }

  #store(key: string, before: Row | undefined, row: Row | undefined): void {
    for (const [name, read] of Object.entries(this.#indexed)) {
      const index = this.#indexes.get(name) as Map<string, Map<string, Row>>;
      const was = before === undefined ? null : read(before);
      const is = row === undefined ? null : read(row);
      if (was !== null && was !== is) {
        const rows = index.get(was);
        rows?.delete(key);
        if (rows?.size === 0) index.delete(was);
      }
      if (is === null || row === undefined) continue;
      const rows = index.get(is);
      if (rows) rows.set(key, row);
      else index.set(is, new Map([[key, row]]));
    }
    if (row === undefined) this.#rows.delete(key);
    else this.#rows.set(key, row);
  }
}

const NOTHING: ReadonlyMap<string, unknown> = new Map();
